# The names that `__init__.py` passes on at run time, for type checkers and editors.
from ruleloom.api.facade import *  # noqa: F403  # exactly what `__all__` there lists
from ruleloom.api.facade import __all__ as __all__
