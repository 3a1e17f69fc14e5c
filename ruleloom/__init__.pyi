from ruleloom.api.facade import (
    CompileResult as CompileResult,
)
from ruleloom.api.facade import (
    ContentError as ContentError,
)
from ruleloom.api.facade import (
    Diagnostic as Diagnostic,
)
from ruleloom.api.facade import (
    Game as Game,
)
from ruleloom.api.facade import (
    Refused as Refused,
)
from ruleloom.api.facade import (
    __version__ as __version__,
)
from ruleloom.api.facade import (
    compile as compile,
)
from ruleloom.api.facade import (
    load as load,
)
from ruleloom.api.facade import (
    new_game as new_game,
)
