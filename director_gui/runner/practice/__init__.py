"""The practice reader: a server on loopback that stands in for a vision model.

It knows the pictures it is handed and answers as a documented, seeded mixture of
readings, so that a study can be rehearsed, shown and tested without a real model.
Everything made with it is practice and must be labelled so.
"""
