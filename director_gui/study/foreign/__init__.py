"""Other people's replies: read from a file, mapped, analysed like our own."""
