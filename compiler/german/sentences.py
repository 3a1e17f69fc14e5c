"""Our own sentences in German, by the English one: the log, the table in the terminal, the pages."""

from collections.abc import Mapping

LOG: Mapping[str, str] = {
    "the game": "das Spiel",
    "{thing} is drawn": "{thing:nom} wird gezogen",
    "{who} draws {thing}": "{who} zieht {thing:akk}",
    "{thing} is taken from {whom}": "{thing:nom} wird {whom} genommen",
    "{who} takes {thing} from {whom}": "{who} nimmt {whom} {thing:akk} ab",
    "{who} rolls in secret for {what}": "{who} würfelt verdeckt: {what}",
    "{who} rolls {number} for {what}": "{who} würfelt {number}: {what}",
    "{who} looks at {thing} on top of {pile}": "{who} sieht sich oben auf {pile} {thing:akk} an",
    "{thing} is put on top of {pile}": "{thing:nom} kommt oben auf {pile} zu liegen",
    "{thing} are put on top of {pile}": "{thing:nom} kommen oben auf {pile} zu liegen",
    "{thing} is put at the bottom of {pile}": "{thing:nom} kommt zuunterst in {pile} zu liegen",
    "{thing} are put at the bottom of {pile}": "{thing:nom} kommen zuunterst in {pile} zu liegen",
    "{thing} is shown to {whom}": "{thing:nom} wird {whom} gezeigt",
    "{thing} are shown to {whom}": "{thing:nom} werden {whom} gezeigt",
    "to {whom}: {text}": "an {whom}: {text}",
    "{what} comes to nothing": "{what} bleibt ohne Wirkung",
    "everybody agrees to go back to before answer {number}, of {who}": (
        "alle sind einverstanden, vor Antwort {number} von {who} zurückzugehen"
    ),
    " and ": " und ",
    "{who} wins": "{who} gewinnt",
    "{who} win": "{who} gewinnen",
    "the game is drawn": "das Spiel endet unentschieden",
    "none": "nichts",
    "yes": "ja",
    "no": "nein",
    "something hidden": "etwas Verdecktes",
    "something that is gone": "etwas, das nicht mehr da ist",
    "{thing} that is gone": "{thing:nom} nicht mehr im Spiel",
    " at {spot}": " auf {spot:dat}",
    "needs: {what}": "nicht möglich; Bedingung: {what}",
}
SENTENCES: Mapping[str, str] = {**LOG}
