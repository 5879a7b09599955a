"""Open a tiny offscreen window and say what drew it: the child of `backend`.

Run as ``python -m director_gui.render.probe``. Where OpenGL's libraries are missing
VTK does not raise but crashes, so this is never run in the program's own process.
"""

import json
import sys

import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - registers the OpenGL classes
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray, vtkVersion
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow


def probe() -> dict[str, str]:
    """Draw one frame of 8x8 pixels and return what drew it.

    Returns:
        ``window``: the class of VTK's window; ``report``: what OpenGL says of itself
        (empty when the frame is not the colour that was asked for).
    """
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(8, 8)
    renderer = vtkRenderer()
    renderer.SetBackground(1.0, 0.0, 0.0)
    window.AddRenderer(renderer)
    window.Render()
    pixels = vtkUnsignedCharArray()
    window.GetPixelData(0, 0, 7, 7, 0, pixels, 0)
    # Some drivers open a window and draw nothing, without a word.
    drawn = pixels.GetNumberOfValues() == 192 and pixels.GetValue(0) == 255
    report = str(window.ReportCapabilities()) if drawn else ""
    found = {"window": str(window.GetClassName()), "report": report}
    window.Finalize()
    return found


if __name__ == "__main__":
    found = probe()
    found["vtk"] = str(vtkVersion.GetVTKVersion())
    sys.stdout.write(json.dumps(found) + "\n")
