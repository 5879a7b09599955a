"""What a reader of a supplement must know of an automatic coder to judge its codes."""

from director_gui.ids import Json
from director_gui.store.auto_passes import AutoPass
from director_gui.store.database import Study
from director_gui.study.blind.auto_prompt import again_part, codebook_part
from director_gui.study.blind.auto_standing import standings
from director_gui.study.blind.keys import Opened

# Of a profile, what shaped the answers; addresses and places of keys stay at home.
_PROFILE = ("name", "model", "wire", "effort", "summary", "max_tokens", "practice")


def automatic_rows(study: Study, found: Opened) -> list[Json]:
    """Return a row for each accepted automatic pass of a packet, oldest first.

    Passes that nobody accepted are left out, as their codes are.
    """
    return [
        {
            **now.value(),
            **_asked(now.made, found),
            "reason": now.accepted.detail["reason"],
        }
        for now in standings(study, found.stored.id)
        if now.accepted is not None
    ]


def _asked(made: AutoPass, found: Opened) -> Json:
    # With the packet beside it, every request can be written again from this.
    profile = made.settings["profile"]
    return {
        "profile": {name: profile.get(name) for name in _PROFILE},
        "wording": made.settings["wording"],
        "begins_with": codebook_part(found.packet.codebook),
        "asked_again_with": again_part("REASON"),
    }
