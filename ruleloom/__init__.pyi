from ruleloom.facade import (
    CompileResult as CompileResult,
)
from ruleloom.facade import (
    ContentError as ContentError,
)
from ruleloom.facade import (
    Diagnostic as Diagnostic,
)
from ruleloom.facade import (
    Game as Game,
)
from ruleloom.facade import (
    Refused as Refused,
)
from ruleloom.facade import (
    __version__ as __version__,
)
from ruleloom.facade import (
    compile as compile,
)
from ruleloom.facade import (
    load as load,
)
from ruleloom.facade import (
    new_game as new_game,
)
