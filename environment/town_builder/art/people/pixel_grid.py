"""Row and column of every pixel of a frame, to write shapes as formulas."""

import numpy as np
import numpy.typing as npt

from town_builder.art.people.pose import FRAME

_places: npt.NDArray[np.int_] = np.indices((FRAME, FRAME))
ROWS: npt.NDArray[np.int_] = _places[0]
COLUMNS: npt.NDArray[np.int_] = _places[1]
