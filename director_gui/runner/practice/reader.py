"""The reader itself: from a picture and a text to a thought, and to a reply."""

import random
from dataclasses import dataclass

from director_gui.runner.practice.catalogue import KnownScene
from director_gui.runner.practice.condition import Asked, read_condition
from director_gui.runner.practice.draws import (
    correlated_uniform,
    difficulty,
    generator,
)
from director_gui.runner.practice.mixture import (
    HIDDEN_READINGS,
    Group,
    Mixture,
    Reading,
)
from director_gui.runner.practice.shapes import Answer, FinishReason, shape_reply
from director_gui.runner.practice.traces import Codes, Thought, write_trace

HIDDEN_THINKING = 96  # tokens of reasoning that are billed when no trace is returned


@dataclass(frozen=True, slots=True)
class PracticeReply:
    """A reply before it goes on the wire; `codes` and `thought` never go there."""

    text: str
    reasoning: str | None
    finish_reason: FinishReason
    reasoning_tokens: int
    thought: Thought
    codes: Codes | None  # what the reasoning states; None without any reasoning


@dataclass(frozen=True, slots=True)
class PracticeReader:
    """One reader with its seed: the same question and draw, the same reply."""

    mixture: Mixture
    seed: int

    def reply(
        self, scene: KnownScene, turns: tuple[str, ...], body: str, draw: int | str
    ) -> PracticeReply:
        """Answer the last of the user's messages about a scene.

        Args:
            scene: What the picture shows.
            turns: The texts of the user's messages in order.
            body: A hash of the whole request; requests that differ draw apart.
            draw: Which of the request's draws: the arrival's number, or the seed that
                the request itself names.
        """
        rng = generator(self.seed, body, draw)
        asked = read_condition(turns)
        thought = self._think(rng, scene, asked)
        shaped = shape_reply(
            rng,
            _answer(scene, asked, thought),
            _draft(rng, scene, asked, thought),
            shapes=self.mixture.shapes,
            faults=self.mixture.faults,
        )
        # Written even when it is not shown, so that the draws after it stay the same.
        trace = write_trace(rng, scene, thought)
        shown = rng.random() < self.mixture.traces
        return PracticeReply(
            text=shaped.text,
            reasoning=trace.text if shown else None,
            finish_reason=shaped.finish_reason,
            reasoning_tokens=count_tokens(trace.text) if shown else HIDDEN_THINKING,
            thought=thought,
            codes=trace.codes if shown else None,
        )

    def _think(self, rng: random.Random, scene: KnownScene, asked: Asked) -> Thought:
        group = self.mixture.group(asked.group)
        level = difficulty(self.seed, scene.name)
        u = correlated_uniform(rng, level, self.mixture.scene_correlation)
        works_out = rng.random() < group.works_out
        if "choice" not in asked.keys:
            right = rng.random() < group.report
            belief = self._believe(rng, scene, None, right=right)
            return Thought(belief, works_out or bool(asked.keys))
        reading = group.reading_at(u)
        choice = _choose(rng, scene, reading)
        belief = self._believe_with(rng, scene, group, reading, choice)
        # A choice among what the director sees says what that is.
        works_out = works_out or reading == "director-view"
        return Thought(belief, works_out, reading, choice)

    def _believe_with(
        self,
        rng: random.Random,
        scene: KnownScene,
        group: Group,
        reading: Reading,
        choice: int,
    ) -> tuple[int, ...]:
        right = rng.random() < group.report_share(reading)
        # Own-view and prior-knowledge go against what the director sees anyway.
        keeps = None if reading in HIDDEN_READINGS else choice
        return self._believe(rng, scene, keeps, right=right)

    def _believe(
        self, rng: random.Random, scene: KnownScene, keeps: int | None, *, right: bool
    ) -> tuple[int, ...]:
        """Return the blocks that the reader takes the director to see.

        A wrong belief lists the hidden block or leaves out a seen one, but never one
        that contradicts a reading which stays with the director (`keeps`): the hidden
        block would then be the better choice, so a seen one is left out instead.
        """
        if right:
            return _in_order(scene, set(scene.sees))
        drops = [digit for digit in scene.sees if digit != keeps]
        adds = [d for d in scene.digits if d not in scene.sees and keeps is None]
        wants_add = rng.random() < self.mixture.wrong_report_adds_hidden
        if adds and (wants_add or not drops):
            return _in_order(scene, {*scene.sees, rng.choice(adds)})
        if not drops:  # the one block seen is the choice: nothing to be wrong about
            return _in_order(scene, set(scene.sees))
        return _in_order(scene, set(scene.sees) - {rng.choice(drops)})


def count_tokens(text: str) -> int:
    """Return about how many tokens a text has: four characters to a token."""
    return -(-len(text) // 4)


def _in_order(scene: KnownScene, digits: set[int]) -> tuple[int, ...]:
    return tuple(digit for digit in scene.digits if digit in digits)


def _choose(rng: random.Random, scene: KnownScene, reading: Reading) -> int:
    seen = _in_order(scene, set(scene.sees)) or scene.digits
    best = scene.by_request()[0]
    if reading in HIDDEN_READINGS:
        return best if scene.model_view is None else scene.model_view
    if reading == "largest-digit":
        return max(seen)
    if reading == "no-rule":
        return rng.choice(seen)
    return best if scene.director_view is None else scene.director_view


def _answer(scene: KnownScene, asked: Asked, thought: Thought) -> Answer:
    known = thought.belief
    # This reading rests on the director's knowing every block.
    if thought.reading == "prior-knowledge":
        known = scene.digits
    values: dict[str, int | list[int]] = {
        "visible": list(thought.belief),
        "known": list(known),
        "count": len(scene.digits),
    }
    if thought.choice is not None:
        values["choice"] = thought.choice
    return {key: values[key] for key in asked.keys}


def _draft(
    rng: random.Random, scene: KnownScene, asked: Asked, thought: Thought
) -> Answer:
    others = [d for d in scene.digits if d != thought.choice] or list(scene.digits)
    first = Thought(
        scene.digits, thought.works_out, thought.reading, rng.choice(others)
    )
    return _answer(scene, asked, first if thought.choice is not None else thought)
