"""What the method note says of the statistics: the paper's choices and our own."""

from director_gui.stats.contrast import LEAST_INFORMATIVE
from director_gui.stats.sample import LEAST_SCENES
from director_gui.stats.shares import RESAMPLES
from director_gui.stats.verdicts import MARGIN

PAPER = (
    "Unanswered replies are dropped.",
    (
        "Differences come from a GEE with a logit link, scenes as clusters, the delta "
        "method, and t with the number of scenes less two degrees of freedom."
    ),
    (
        "A condition without events, or with nothing but events, gets a "
        "cluster-based t; identical scenes get a bound that allows for "
        "correlation within scenes."
    ),
    (
        f"A share's interval is the percentile interval of {RESAMPLES:,} resamples of "
        "scenes."
    ),
    "P-values are corrected by Benjamini and Hochberg inside declared families.",
    (
        f"Visibility accuracy is judged by a margin of ±{100 * MARGIN:.0f} points, "
        "outside every family and without correction."
    ),
)
OURS = (
    (
        "The GEE has an independence working correlation and the robust covariance "
        "without a small-sample factor, which gives raw shares and a closed form; the "
        "bias-reduced covariance of Mancl and DeRouen is an option."
    ),
    f"No interval is given below {LEAST_SCENES} scenes with answers in each condition.",
    (
        "The cluster-based t has the number of scenes less one degree of freedom; with "
        "equal counts it is the paired t test on the scenes' differences."
    ),
    (
        "The bound takes a scene as one unit: it shrinks the estimate by u and "
        "adds ±u, u = 1 - 0.025^(1/scenes)."
    ),
    f"Fewer than {LEAST_INFORMATIVE} scenes that differ from the median raise a flag.",
    (
        "Resampling takes scenes in string order from numpy's PCG64 with seed 0; "
        "a share that is the same in all scenes gets the bound instead."
    ),
)
