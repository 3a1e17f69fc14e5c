"""Our own sentences in German, by the English one: the log, the table in the terminal, the rulebook."""

from collections.abc import Mapping

LOG: Mapping[str, str] = {
    "the game": "das Spiel",
    "{thing} is drawn": "man zieht {thing:akk}",
    "{who} draws {thing}": "{who} zieht {thing:akk}",
    "{thing} is taken from {whom}": "{whom} verliert {thing:akk}",
    "{who} takes {thing} from {whom}": "{who} nimmt {whom} {thing:akk} ab",
    "{who} rolls in secret for {what}": "{who} würfelt verdeckt: {what}",
    "{who} rolls {number} for {what}": "{who} würfelt {number}: {what}",
    "{who} looks at {thing} on top of {pile}": "{who} sieht sich oben auf {pile} {thing:akk} an",
    "{thing} is put on top of {pile}": "man legt {thing:akk} oben auf {pile}",
    "{thing} are put on top of {pile}": "man legt {thing:akk} oben auf {pile}",
    "{thing} is put at the bottom of {pile}": "man legt {thing:akk} zuunterst in {pile}",
    "{thing} are put at the bottom of {pile}": "man legt {thing:akk} zuunterst in {pile}",
    "{thing} is shown to {whom}": "{whom} bekommt {thing:akk} gezeigt",
    "{thing} are shown to {whom}": "{whom} bekommt {thing:akk} gezeigt",
    "to {whom}: {text}": "an {whom}: {text}",
    "{what} comes to nothing": "{what} bleibt ohne Wirkung",
    "from here on the rules are other ones: {versions}": (
        "von hier an gelten andere Regeln: {versions}"
    ),
    "one thing is set aside": "ein Ding ist beiseite gelegt",
    "{number} things are set aside": "{number} Dinge sind beiseite gelegt",
    "everybody agrees to go back to before answer {number}, of {who}": (
        "alle sind einverstanden, vor Antwort {number} von {who} zurückzugehen"
    ),
    " and ": " und ",
    "{who} wins": "{who} gewinnt",
    "{who} win": "{who} gewinnen",
    "the game is drawn": "das Spiel endet unentschieden",
    "none": "nichts",
    "nothing": "nichts",
    "some": "einige",
    "yes": "ja",
    "no": "nein",
    "something hidden": "etwas Verdecktes",
    "something that is gone": "etwas, das nicht mehr da ist",
    "{thing} that is gone": "{thing:nom} nicht mehr im Spiel",
    " at {spot}": " auf {spot:dat}",
    "needs: {what}": "Bedingung: {what}",
}

QUESTIONS: Mapping[str, str] = {
    "write something: this takes a text": "schreib etwas: Hier ist ein Text verlangt",
    "it is one of {numbers}": "verlangt ist eine dieser Zahlen: {numbers}",
    "it is a number from {low} to {high}": "verlangt ist eine Zahl von {low} bis {high}",
    "it is a number from {low} to {high}, in steps of {step}": (
        "verlangt ist eine Zahl von {low} bis {high}, in Schritten von {step}"
    ),
    "what the dice show": "was die Würfel zeigen",
    "the number of an option": "die Nummer einer Möglichkeit",
    "there is no usual answer here; type {what}": "hier gibt es keine übliche Antwort; tippe {what}",
    "`{word}` may be any of {names}; type the number": (
        "`{word}` kann mehreres sein: {names}; tippe die Nummer"
    ),
    "`{word}` is no option here; did you mean `{close}`?": (
        "`{word}` steht hier nicht zur Wahl; meinst du `{close}`?"
    ),
    "`{word}` is no option here; `help` says what can be typed": (
        "`{word}` steht hier nicht zur Wahl; `help` sagt, was sich eingeben lässt"
    ),
    "the options are numbered 1 to {last}": "die Möglichkeiten haben die Nummern 1 bis {last}",
    "the answers are numbered 1 to {last}": "die Antworten haben die Nummern 1 bis {last}",
    "what the dice show: their sum, or the face of each, as in 3 17 4": (
        "was die Würfel zeigen: ihre Summe, oder jeder für sich, wie in 3 17 4"
    ),
    "; nothing, with Enter": "; nichts, mit Enter",
    "; usual: {answer}, with Enter": "; üblich: {answer}, mit Enter",
    "your own words, {least} to {most} characters on one line": (
        "deine eigenen Worte, {least} bis {most} Zeichen in einer Zeile"
    ),
    "   (usual: {answer}, with Enter)": "   (üblich: {answer}, mit Enter)",
    "   (usual: Enter)": "   (üblich: Enter)",
    "a number from {low} to {high}": "eine Zahl von {low} bis {high}",
    "a number from {low} to {high}, in steps of {step}": (
        "eine Zahl von {low} bis {high}, in Schritten von {step}"
    ),
    "(all {number}, the first one first)": "(alle {number}, das erste zuerst)",
    "({number} of them)": "({number} davon)",
    "any number": "beliebig viele",
    "up to {number}": "bis zu {number}",
    "(there is no other way)": "(es geht nicht anders)",
    "Enter takes these answers; a number changes one.": (
        "Enter übernimmt diese Antworten; eine Nummer ändert eine."
    ),
    "With the usual answer, {chance}.": "Mit der üblichen Antwort: {chance}.",
    "Several answers on one line are kept for your next turns at this question.": (
        "Mehrere Antworten in einer Zeile gelten für deine nächsten Male bei dieser Frage."
    ),
    "How do the two go together?": "Wie gehören die beiden zusammen?",
    "choose one": "wähle eins",
    "one after the other": "eins nach dem anderen",
}

TABLE: Mapping[str, str] = {
    "set-up": "Aufbau",
    "there is no card `{word}`, and none on a space of that name": (
        "es gibt keine Karte `{word}`, und auf einem Feld dieses Namens liegt keine"
    ),
    "nothing is written about it": "darüber steht nichts geschrieben",
    "nothing more follows from it": "daraus folgt nichts weiter",
    "turn {number}": "Zug {number}",
    "nobody": "niemand",
    "{text} ({number} times)": "{text} ({number}-mal)",
    "(taken back)": "(zurückgenommen)",
    "nothing has happened yet": "noch ist nichts geschehen",
    "there is nothing in hand": "auf der Hand ist nichts",
    "there is no standing answer of yours": "du hast keine dauerhafte Antwort",
    "you will be asked again": "du wirst wieder gefragt",
    "kept as a standing answer; `standing` lists them": (
        "gilt nun dauerhaft; `standing` zeigt alle dauerhaften Antworten"
    ),
    " (this turn)": " (in diesem Zug)",
    "`? NAME` reads a card or a rule, `? 1` the first option; `help` lists all commands": (
        "`? NAME` liest eine Karte oder Regel vor, `? 1` die erste Möglichkeit; `help` nennt alle Befehle"
    ),
    "everything that could be chosen here is on offer": (
        "alles, was hier gewählt werden könnte, steht zur Wahl"
    ),
    "what was answered in advance is forgotten": "was im Voraus geantwortet war, ist vergessen",
    "there is nothing to take back: what has been seen stays seen, unless all agree (`go back`)": (
        "es gibt nichts zurückzunehmen: Gesehenes bleibt gesehen, außer alle sind einverstanden (`go back`)"
    ),
    "there was no choice before this one": "vor dieser gab es keine Wahl",
    "there is no choice of yours to go back to": "es gibt keine Wahl von dir, zu der man zurückgehen könnte",
    "answering `{keys}`": "der Antwort `{keys}`",
    "an answer that not everybody knows": "einer Antwort, die nicht alle kennen",
    "{name}, may {asker} go back to before {answer}? (yes or no) ": (
        "{name}, darf {asker} vor den Zeitpunkt {answer} zurück? (ja oder nein) "
    ),
    "{name} does not agree, and everything stays as it is": (
        "{name} ist nicht einverstanden, und alles bleibt, wie es ist"
    ),
    "{name} rolls.": "{name} würfelt.",
    "what was said": "was gesagt war",
    "{what} is not on offer any more": "{what} steht nicht mehr zur Wahl",
    "`{what}` is left out, because something else has come first: dice, cards or another person": (
        "`{what}` entfällt, weil etwas anderes dazwischenkam: Würfel, Karten oder eine andere Person"
    ),
    "`{what}` is kept for your next turns at this question; `undo` forgets it": (
        "`{what}` gilt für deine nächsten Male bei dieser Frage; `undo` vergisst es"
    ),
    "a text is asked for there, on a line of its own": "dort wird ein Text in einer eigenen Zeile verlangt",
    "`{part}`, answer {number} of {many}, does not fit: {question} {why}; "
    "none of these answers was taken": (
        "`{part}`, Antwort {number} von {many}, passt nicht: {question} {why}; "
        "keine dieser Antworten wurde übernommen"
    ),
    "for {name} alone: {text}": "nur für {name}: {text}",
    "The keyboard goes to {name}. Enter when nobody else looks: ": (
        "Die Tastatur geht an {name}. Enter, wenn sonst niemand zusieht: "
    ),
    "to act": "am Zug",
    "{zone} of {owner}": "{zone} von {owner}",
    "(the board is empty)": "(der Tisch ist leer)",
    "columns {first} to {last}:": "Spalten {first} bis {last}:",
    "player": "Spieler",
    "Hand of {who}": "Hand von {who}",
    "(no cards)": "(keine Karten)",
    "resumed after 1 answer": "fortgesetzt nach 1 Antwort",
    "resumed after {number} answers": "fortgesetzt nach {number} Antworten",
    "; seed {seed}": "; Startwert {seed}",
    "; real dice": "; echte Würfel",
    "The seed was {seed}.": "Der Startwert war {seed}.",
    "1 turn": "einem Zug",
    "{number} turns": "{number} Zügen",
    "a draw": "unentschieden",
    "The game is over after {turns}: {result}.": "Das Spiel ist nach {turns} zu Ende: {result}.",
    "Unfinished after {turns}: nobody has won.": "Abgebrochen nach {turns}: Niemand hat gewonnen.",
    "The game is not finished.": "Das Spiel ist nicht zu Ende.",
    "The game is not finished, and not saved; next time, --save FILE saves it.": (
        "Das Spiel ist nicht zu Ende und nicht gesichert; nächstes Mal sichert es --save DATEI."
    ),
    "The game is not finished, and kept; `{command}` goes on with it.": (
        "Das Spiel ist nicht zu Ende und gesichert; `{command}` setzt es fort."
    ),
}

REFUSALS: Mapping[str, str] = {
    "only an option that is on offer can be a standing answer": (
        "nur was zur Wahl steht, kann dauerhaft gelten"
    ),
    "there is no such standing answer": "diese dauerhafte Antwort gibt es nicht",
    "write it as: correct FIELD(NAME) = VALUE because REASON": (
        "schreib es so: correct FELD(NAME) = WERT because GRUND"
    ),
    "`{text}` is no name; write a field and what it is of: FIELD(NAME)": (
        "`{text}` ist kein Name; schreib ein Feld und wessen es ist: FELD(NAME)"
    ),
    "`{name}` takes a name, and perhaps the entry of a table, not {count} words": (
        "`{name}` braucht einen Namen und vielleicht den Eintrag einer Tabelle, nicht {count} Worte"
    ),
    "`{name}` is asked as {shape}": "nach `{name}` fragt man so: {shape}",
    "that depends on something that not everybody sees": (
        "das hängt von etwas ab, das nicht alle sehen"
    ),
    "this is not asked of you now": "das wirst du jetzt nicht gefragt",
    "this cannot have been drawn: one of those on the list is asked for": (
        "das kann nicht gezogen worden sein: verlangt ist etwas von der Liste"
    ),
    "this is not on offer": "das steht nicht zur Wahl",
    "exactly one option is asked for": "verlangt ist genau eine Möglichkeit",
    "`{key}` is not one of the options": "`{key}` steht nicht zur Wahl",
    "that takes between {least} and {most} different options": (
        "verlangt sind zwischen {least} und {most} verschiedene Möglichkeiten"
    ),
    "one text is asked for": "verlangt ist ein Text",
    "the game is over, and nothing is set right any more": (
        "das Spiel ist zu Ende, und nichts wird mehr richtiggestellt"
    ),
    "there is nothing to take back: what has been seen stays seen": (
        "es gibt nichts zurückzunehmen: Gesehenes bleibt gesehen"
    ),
    "there is no such answer to go back to": "zu dieser Antwort kann man nicht zurück",
    "dice and decks answer there, and nobody is asked": (
        "dort antworten Würfel und Stapel, und niemand wird gefragt"
    ),
}

SEATS: Mapping[str, str] = {
    "human": "Mensch",
    "greedy": "Bot, plant",
    "random": "Bot, zufällig",
    "steady": "Bot, wie üblich",
}

HELP: Mapping[str, str] = {
    "Answer with the number of an option, or with its name; where several are asked for, with several "
    'numbers ("1 3 4", "all", "none"). Enter alone takes the usual answer.': (
        "Antworte mit der Nummer oder dem Namen einer Möglichkeit; wo mehrere verlangt sind, mit mehreren "
        'Nummern ("1 3 4", "all" für alle, "none" für keine). Enter allein gibt die übliche Antwort.'
    ),
    'Several answers may stand on one line: "2 N 1" answers what you are asked now and next, with ";" '
    'between them where one has several parts ("1 3; none"). If one does not fit, none is taken. '
    "Where a question goes round the table, the others are kept for your next turns at it.": (
        'In einer Zeile dürfen mehrere Antworten stehen: "2 N 1" beantwortet diese Frage und die nächsten; '
        'hat eine Antwort mehrere Teile, trennt sie ein ";" ("1 3; none"). Passt eine nicht, wird keine '
        "übernommen. Geht eine Frage reihum, gelten die übrigen für deine nächsten Male."
    ),
    "Where a text is asked for, the line is the text, unless it is one of these words alone or begins "
    'with "?" or "/": "/save FILE", "/correct ..." are commands then, and "say quit" is the text '
    '"quit".': (
        "Wo ein Text verlangt ist, ist die Zeile der Text, außer sie ist nur eins dieser Wörter oder beginnt "
        'mit "?" oder "/": Dann sind "/save DATEI" und "/correct ..." Befehle, und "say quit" ist der Text '
        '"quit".'
    ),
    "Besides:": "Außerdem:",
    "by which rule you are asked": "nach welcher Regel du gefragt wirst",
    "what a card says, or the card on a space (? 2/1), or an option (? 3)": (
        "was eine Karte sagt, oder die Karte auf einem Feld (? 2/1), oder eine Möglichkeit (? 3)"
    ),
    "the same in full, step by step": "dasselbe ausführlich, Schritt für Schritt",
    "take your last answer back": "deine letzte Antwort zurücknehmen",
    "ask everybody to go back past what has been seen": (
        "alle fragen, ob du auch hinter Gesehenes zurückgehen darfst"
    ),
    "what is not on offer, and why": "was nicht zur Wahl steht, und warum",
    "the table (also `board`)": "der Tisch (auch `board`)",
    "what only you see": "was nur du siehst",
    "what has happened": "was geschehen ist",
    "give this answer now, and whenever the question comes again": (
        "diese Antwort jetzt geben, und immer, wenn die Frage wiederkommt"
    ),
    "the same until the turn ends": "dasselbe, bis der Zug endet",
    "your standing answers; `ask again 1` takes the first back": (
        "deine dauerhaften Antworten; `ask again 1` nimmt die erste zurück"
    ),
    "keep the game in a file of that name": "das Spiel in einer Datei dieses Namens sichern",
    "leave; the game is kept, and you are told how to go on": (
        "gehen; das Spiel wird gesichert, und du erfährst, wie es weitergeht"
    ),
    "what changed a value, or how a number comes about": (
        "was einen Wert geändert hat, oder wie eine Zahl zustande kommt"
    ),
    "set a value right by hand; `undo` takes it back": (
        "einen Wert von Hand richtigstellen; `undo` nimmt es zurück"
    ),
}

BOOK: Mapping[str, str] = {
    "The game": "Das Spiel",
    "For up to six players.": "Für bis zu sechs Spieler.",
    "The game ends in one of these ways:": "Das Spiel endet auf eine dieser Weisen:",
    "What there is": "Was es gibt",
    "The things": "Die Dinge",
    "Where they lie": "Wo sie liegen",
    "What to keep in mind": "Was man sich merken muss",
    "Otherwise:": "Andernfalls:",
    "Choose one:": "Wähle eins:",
    "Rules and limits": "Regeln und Grenzen",
    "At all times": "Zu jeder Zeit",
    "What happens by itself": "Was von selbst geschieht",
    "Rules that cards may lift": "Regeln, die Karten aufheben können",
    "These hold wherever a text does not say that they are ignored.": (
        "Diese gelten überall, wo ein Text nicht sagt, dass sie nicht beachtet werden."
    ),
    "What the words mean": "Was die Worte bedeuten",
    "Variants": "Varianten",
    "Other readings of the rules": "Andere Lesarten der Regeln",
    "Where a rule can be read in several ways, this book follows the first of them.": (
        "Wo sich eine Regel auf mehrere Weisen lesen lässt, folgt dieses Buch der ersten."
    ),
    "Numbers to agree on": "Zahlen zum Vereinbaren",
    "These numbers can be changed, within the bounds given.": (
        "Diese Zahlen lassen sich in den angegebenen Grenzen ändern."
    ),
    "here": "hier",
    "from": "von",
    "to": "bis",
    "The rules": "Die Regeln",
    "Contents": "Inhalt",
    "Index": "Verzeichnis",
    "Made by {tool}": "Erstellt mit {tool}",
    "ruleloom {version} (language edition {edition}, program format {format})": (
        "ruleloom {version} (Sprachausgabe {edition}, Programmformat {format})"
    ),
    "what this means": "was das bedeutet",
}

SENTENCES: Mapping[str, str] = {
    **{**BOOK, **LOG, **QUESTIONS, **TABLE, **HELP},
    **{**REFUSALS, **SEATS},
}
