"""The game of the checker's examples: players carry baskets from tree to tree and eat fruits.

An example is one more file of that game. `mine` are the baskets of the player `me`, `favourite` is
a fruit or none, `day` is a number; `walk`, `snack` and `gamble` are powers.
"""

from __future__ import annotations

VOCABULARY = "kind: vocabulary\ngame: orchard\n"
ME = "scope: {me: {type: Player, life: game, english: you}}\n"
TIRED = "entities: {Player: {noun: [player, players], max: 4, fields: {tired: {type: Int}}}}\n"
FLOWS = "".join(f"- kind: flow\n  id: {id}\n  effect: |\n    stop\n" for id in ("set_up", "turn"))


def whole_game(vocabulary: str, flows: str = FLOWS) -> dict[str, str]:
    """Return a game of its own, with these parts of a vocabulary besides `me`."""
    return {"vocabulary.yaml": f"{VOCABULARY}{ME}{vocabulary}", "flow.yaml": flows}


def fruit(*lines: str) -> str:
    """Return a fruit with this effect."""
    effect = "".join(f"  {line}\n" for line in lines)
    return f"kind: fruit\nid: apple\nweight: 1\ntint: red\neffect: |\n{effect}"


def abilities(*lines: str, kind: str = "fruit") -> str:
    """Return an item with these abilities."""
    text = "".join(f"  {line}\n" for line in lines)
    head = {"fruit": "weight: 1\ntint: red\n", "keyword": "gloss: strong\n", "stone": ""}[kind]
    return f"kind: {kind}\nid: apple\n{head}abilities: |\n{text}"


def standing(*lines: str) -> str:
    """Return the abilities of every player."""
    text = "".join(f"  {line}\n" for line in lines)
    return f"kind: standing\nid: habits\nfor: Player\nabilities: |\n{text}"


def with_items(*items: str, use: str) -> str:
    """Return these items, and a fruit that uses them."""
    return "".join(f"- {{{item}}}\n" for item in items) + listed(fruit(use))


def listed(item: str) -> str:
    """Return an item as an entry of a list."""
    first, *rest = item.splitlines()
    return f"- {first}\n" + "".join(f"  {line}\n" for line in rest)


def power(id: str, *lines: str, gives: str = "") -> str:
    """Return a power, as an entry of a list."""
    effect = "".join(f"    {line}\n" for line in lines)
    result = f'  gives: "{gives}"\n' if gives else ""
    return f"- kind: power\n  id: {id}\n{result}  gloss: {id}\n  effect: |\n{effect}"


def trigger(*fields: str, effect: str) -> str:
    lines = "".join(f"{field}\n" for field in fields)
    return f"kind: trigger\nid: push\n{lines}effect: |\n  {effect}\n"


def tiring(
    turn: str, sets: str = 'tired(who): "tired(who) + 1"', answered: bool = False
) -> dict[str, str]:
    """A whole game: its `turn`, an operation `work` that sets `tired`, perhaps a trigger."""
    set_up = "- {kind: flow, id: set_up, effect: stop}\n"
    flows = f"{set_up}- {{kind: flow, id: turn, effect: '{turn}'}}\n"
    answer = "- {kind: trigger, id: yawn, event: work(who), timing: afterwards, effect: "
    answer += 'say "somebody yawns"}\n'
    work = f"operations: {{work: {{params: {{who: Player}}, sets: {{{sets}}}, "
    work += 'english: "{who} works", log: "{who} works"}}\n'
    return whole_game(TIRED + work, flows + answer * answered)


OPERATION = 'operations: {wait: {changes: [], at_table: true, english: "wait", log: "wait"}}\n'
MEASURE = "kind: measure, id: {id}, gives: Int, is: '{body}', english: {id}"
DYES = {
    "vocabulary.yaml": f"{VOCABULARY}enums: {{Colour: [red, green]}}\nentities:\n  Fruit:\n"
    "    noun: [fruit, fruits]\n    max: 9\n"
    '    static: {tint: "Colour?", dye: "Colour?"}\n    records: [fruit]\n'
    "kinds: {fruit: {makes: Fruit, needs: {dye: tint}}}\n"
}
TINTS = {"vocabulary.yaml": DYES["vocabulary.yaml"].replace("needs: {dye: tint}", "unique: [tint]")}
