"""The embedded practice reader of a session: started when first needed."""

from dataclasses import replace
from typing import Self

from director_gui.runner.practice.catalogue import Catalogue
from director_gui.runner.practice.server import Server, start
from director_gui.runner.profiles import Profile
from director_gui.scene.model import Scene
from director_gui.scene.serialize import read_scene
from director_gui.store.database import Study
from director_gui.store.scenes import scene
from director_gui.study.catalogue import known_scene


class Practice:
    """Serves the pictures of this session on loopback; close it at the end.

    Args:
        seed: Decides every reply, with the requests themselves.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._catalogue = Catalogue()
        self._server: Server | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def know(self, image: str, shown: Scene) -> None:
        """Let the reader recognise a picture by the SHA-256 of its bytes."""
        self._catalogue.add(image, known_scene(shown))

    def know_run(self, study: Study, run_id: str) -> None:
        """Let the reader recognise every picture that a stored run sends.

        A run of an earlier session can then be resumed. Each new scene takes some
        milliseconds, so a long run is made known off the window's thread.
        """
        rows = study.query(
            # A run has thousands of calls about a few pictures.
            "SELECT DISTINCT image, scene FROM calls WHERE run = ?",
            (run_id,),
        )
        for row in rows:
            if self._catalogue.get(row["image"]) is None:
                self.know(row["image"], read_scene(scene(study, row["scene"]).json))

    def ready(self, profile: Profile) -> Profile:
        """Return a practice profile with the address of the running reader.

        Any other profile is returned as it is.

        Raises:
            UserError: No port can be had.
        """
        if not profile.practice:
            return profile
        # Late: most sessions never use it, and a port is then not taken.
        if self._server is None:
            self._server = start(self._catalogue, seed=self._seed)
        return replace(profile, base_url=self._server.base_url)

    def close(self) -> None:
        """Stop the reader."""
        if self._server is not None:
            self._server.close()
            self._server = None
