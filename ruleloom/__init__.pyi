from ruleloom.facade import (
    CompileResult as CompileResult,
    ContentError as ContentError,
    Diagnostic as Diagnostic,
    Game as Game,
    Refused as Refused,
    __version__ as __version__,
    compile as compile,
    load as load,
    new_game as new_game,
)
