# What `__init__.py` hands on when it is asked for, for type checkers and editors.
from ruleloom.api.facade import (
    AnswerData as AnswerData,
)
from ruleloom.api.facade import (
    Compiler as Compiler,
)
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
    FileFault as FileFault,
)
from ruleloom.api.facade import (
    Game as Game,
)
from ruleloom.api.facade import (
    GameOver as GameOver,
)
from ruleloom.api.facade import (
    Option as Option,
)
from ruleloom.api.facade import (
    Outcome as Outcome,
)
from ruleloom.api.facade import (
    OutOfRange as OutOfRange,
)
from ruleloom.api.facade import (
    Program as Program,
)
from ruleloom.api.facade import (
    Prompt as Prompt,
)
from ruleloom.api.facade import (
    PromptData as PromptData,
)
from ruleloom.api.facade import (
    Refusal as Refusal,
)
from ruleloom.api.facade import (
    Refused as Refused,
)
from ruleloom.api.facade import (
    RuleloomError as RuleloomError,
)
from ruleloom.api.facade import (
    RuntimeFault as RuntimeFault,
)
from ruleloom.api.facade import (
    SaveError as SaveError,
)
from ruleloom.api.facade import (
    SeatView as SeatView,
)
from ruleloom.api.facade import (
    StaleAnswer as StaleAnswer,
)
from ruleloom.api.facade import (
    TooMuchWork as TooMuchWork,
)
from ruleloom.api.facade import (
    WireError as WireError,
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
    log as log,
)
from ruleloom.api.facade import (
    new_game as new_game,
)
from ruleloom.api.facade import (
    prompt_data as prompt_data,
)
from ruleloom.api.facade import (
    read_answer as read_answer,
)
from ruleloom.api.facade import (
    read_prompt as read_prompt,
)
from ruleloom.api.facade import (
    save as save,
)
from ruleloom.api.facade import (
    view as view,
)
