# The names that `__init__.py` passes on at run time, for type checkers and editors.
from ruleloom.api import compiling, facade
from ruleloom.api.compiling import *  # noqa: F403  # exactly what `__all__` there lists
from ruleloom.api.facade import *  # noqa: F403
from ruleloom.building import building
from ruleloom.building.building import *  # noqa: F403

__all__: list[str] = []
__all__ += facade.__all__
__all__ += compiling.__all__
__all__ += building.__all__
