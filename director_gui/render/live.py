"""A view that is drawn again and again while a scene is edited.

Plain light while something moves; baked light and multisampling once it rests. Every
view owns its window and its actors: a texture belongs to one OpenGL context.
"""

from vtkmodules.vtkRenderingCore import vtkRenderer

from director_gui.render import backend, vtk_arrays
from director_gui.render.bake import Baked
from director_gui.render.build import SceneActors, aim
from director_gui.scene.model import Scene, Viewpoint


class LiveView:
    """Draws a scene from any viewpoint into an array.

    Args:
        figure: Whether the director's figure is drawn (never from its own eye).
    """

    def __init__(self, *, figure: bool) -> None:
        self._window = backend.open_window()
        self._renderer = vtkRenderer()
        self._window.AddRenderer(self._renderer)
        self._actors = SceneActors(self._renderer, figure=figure)

    def draw(
        self,
        scene: Scene,
        viewpoint: Viewpoint,
        size: tuple[int, int],
        shift: tuple[float, float] = (0.0, 0.0),
    ) -> vtk_arrays.Pixels:
        """Return the scene's pixels, shape (height, width, 3), top row first.

        Args:
            scene: What to draw; only what differs from the last call is rebuilt.
            viewpoint: From where.
            size: Width and height in px.
            shift: Offset in px; the mean of frames over `still.JITTER` has smooth
                edges.
        """
        self._actors.sync(scene)
        aim(self._renderer, viewpoint)
        center = (2 * shift[0] / size[0], 2 * shift[1] / size[1])
        self._renderer.GetActiveCamera().SetWindowCenter(*center)
        if self._window.GetSize() != size:
            self._window.SetSize(*size)
        self._window.Render()
        return vtk_arrays.grab(self._window)[::-1]

    def relight(self, scene: Scene, baked: Baked) -> None:
        """Put baked light on; it stays until the scene changes."""
        self._actors.sync(scene)
        self._actors.light(baked)

    def close(self) -> None:
        """Free the window; the view cannot draw after this."""
        self._actors.clear()
        backend.close_window(self._window)
