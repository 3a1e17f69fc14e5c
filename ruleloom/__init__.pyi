# What `__init__.py` hands on when it is asked for, for type checkers and editors.
from ruleloom.api.facade import *  # noqa: F403  # all that `__all__` there lists, and nothing else
from ruleloom.api.facade import __all__ as __all__
