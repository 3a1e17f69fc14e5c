"""The codes of packs: folders, zips, requirements, patches, switches, extensions, scenarios.

The examples are folders of packs for an invented game, `inn`, whose own pack lies in `inn/`.
`house.zip/cards.yaml` is the entry `cards.yaml` of a zip.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code, described, driver, pack, whole_packs

_PACK = "kind: pack\nid: {id}\nversion: 1.0.0\ngame: inn\nedition: 1\n"
_LIMIT = "kind: setting\nid: guests\nvalue: 4\nenglish: how many guests fit into a room\n"
_DINERS = _LIMIT.replace("id: guests", "id: diners")
_MENU = (
    "kind: switch\nid: supper\noptions: {early: supper is at six, late: supper is at nine}\n"
    "default: early\nenglish: when supper is served\n"
)
_STEW = "kind: extension\nid: stew\nextends: {Meal: [stew]}\n"
_STEW_PRICE = "kind: patch\nid: stew-price\ntarget: inn:table/price\nset: {rows.stew: 3}\n"
_LUCK = (
    "kind: extension\nid: luck\nextends: {Player: {fields: "
    "{luck: {type: Int, min: 0, max: 9, at_table: true«¦, initial: 3»}}}}\n"
)


def _manifest(id: str, *lines: str) -> str:
    return _PACK.format(id=id) + "".join(f"{line}\n" for line in lines)


_INN = {
    "inn/pack.yaml": _manifest("inn"),
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n",
}
_GAME = _INN | {"inn/guests.yaml": _LIMIT, "inn/supper.yaml": _MENU}
_DINING = {
    "inn/pack.yaml": _manifest("inn"),
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\nenums: {Meal: [soup, pie]}\n"
    "entities: {Player: {noun: [player, players], max: 4}}\n",
    "inn/prices.yaml": "kind: table\nid: price\nby: Meal\ngives: Int\nrows: {soup: 1, pie: 2}\n"
    'english: "the price of {by}"\n',
    "inn/free.yaml": "kind: measure\nid: dear\ntakes: 'meal: Meal'\ngives: Bool\nis: price(meal) > 1\n"
    'english: "{meal} is dear"\n',
}

_TIPSY = "queries: {tipsy: {params: {who: Player}, result: Bool, reads: [], english: tipsy}}\n"
_TAVERN = {
    "inn/pack.yaml": _manifest("inn"),
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n"
    "scope: {me: {type: Player, life: game, english: you}}\n"
    "entities: {Player: {noun: [player, players], max: 4, fields: {purse: {type: Int}}}}\n"
    "operations:\n  pay: {params: {who: Player}, sets: {purse(who): purse(who) - 1}, "
    "english: pay, log: paid}\n"
    "  double: {params: {who: Player}, sets: {purse(who): purse(who) * 2}, english: play, log: played}\n"
    "moments: {bill_comes: {params: {price: Int}, open: price, english: the bill comes}}\n",
    "inn/flow.yaml": "- {kind: flow, id: set_up, effect: stop}\n- kind: flow\n  id: turn\n  effect: |\n"
    '    let price = 2\n    bill_comes(price) giving price\n    if price > 9: finish drawn "broke"\n',
    "feast/pack.yaml": _manifest("feast"),
    "feast/wine.yaml": "kind: standing\nid: wine\nfor: Player\nabilities: |\n"
    "  when bill_comes(price) where self = me: set price = price + 3\n",
    "wake/pack.yaml": _manifest("wake"),
    "wake/beer.yaml": "kind: standing\nid: beer\nfor: Player\nabilities: |\n"
    "  when bill_comes(price) where self = me: set price = price «* 2¦+ 2»\n",
}
_PLAYED = _INN | {
    "inn/flow.yaml": "- {kind: flow, id: set_up, effect: stop}\n"
    '- kind: flow\n  id: turn\n  effect: |\n    finish drawn "broke"\n',
}
_EVENING = {
    "inn/pack.yaml": _TAVERN["inn/pack.yaml"],
    "inn/vocabulary.yaml": _TAVERN["inn/vocabulary.yaml"],
    "inn/flow.yaml": "- {kind: flow, id: set_up, effect: stop}\n"
    "- {kind: flow, id: turn, effect: 'finish drawn \"the guests leave\"'}\n",
}
_BAR = {
    "inn/pack.yaml": _TAVERN["inn/pack.yaml"],
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n"
    "scope: {me: {type: Player, life: game, english: you}}\n"
    "entities: {Player: {noun: [player, players], max: 4, fields: {purse: {type: Int}}}}\n"
    "operations: {pay: {params: {who: Player}, sets: {purse(who): purse(who) - 1}, "
    "english: pay, log: paid}}\n",
    "inn/flow.yaml": "- {kind: flow, id: set_up, effect: stop}\n- kind: flow\n  id: turn\n"
    '  effect: |\n    if purse(me) > 0: pay(me)\n    finish drawn "the guests leave"\n',
}
_CELLAR = {
    **_TAVERN,
    "feast/wine.yaml": "kind: standing\nid: wine\nfor: Player\nabilities: |\n"
    "  when bill_comes(price) where self = me: pay(self)\n",
    "wake/beer.yaml": "kind: standing\nid: beer\nfor: Player\nabilities: |\n"
    "  when bill_comes(price) where self = me: «double¦pay»(self)\n",
}


def _house(*lines: str, game: dict[str, str] = _GAME, **files: str) -> dict[str, str]:
    """Return a game and a pack of house rules for it."""
    texts = {"pack": _manifest("house", *lines), **files}
    return game | {f"house/{name}.yaml": text for name, text in texts.items()}


def _zipped(**files: str) -> dict[str, str]:
    """Return the bare game and a zip of a pack for it, with these entries more."""
    texts = {"pack.yaml": _manifest("house"), **files}
    return _INN | {f"house.zip/{name}": text for name, text in texts.items()}


def _packs(**manifests: str) -> dict[str, str]:
    """Return the game and packs for it, each with these lines in its manifest."""
    texts = {id: _manifest(id, *lines.splitlines()) for id, lines in manifests.items()}
    return _GAME | {f"{id}/pack.yaml": text for id, text in texts.items()}


def _patch(id: str, *lines: str, target: str = "target: inn:setting/guests") -> str:
    return f"kind: patch\nid: {id}\n{target}\n" + "".join(f"{line}\n" for line in lines)


_EVERY = "every: setting"
_MORE, _MOST = _patch("more", "add: {value: 1}"), _patch("most", "scale: {value: 2}")
_MORE_AFTER = _patch("more", "add: {value: 1}", "after: [most]")
_MOST_AFTER = _patch("most", "scale: {value: 2}", "after: [more]")
_GOOD_PATCH = _house(more=_patch("more", "set: {value: 5}"))
_CASE = (
    "kind: scenarios\ncases:\n  - id: full\n    given:\n    «¦  »state: {A: {purse: 4}}\n"
    "    when: [{do: pay(me)}]\n    then: {numbers: {A: {purse: 3}}}\n"
)
_IDLE = (
    "kind: scenarios\ncases:\n  - id: full\n    given: {state: {A: {purse: 4}}}\n"
    "    when: [{do: 'optional \"have a drink\": pay(me)', answers: {have a drink: no}}]\n"
    "    then: {«unasked: [have a drnik]¦numbers: {A: {purse: 4}}»}\n"
)
_CLAUSES = {
    "inn/clauses.yaml": "kind: clause\nid: inn.purse\nwords: nobody pays what they do not have\n",
    "inn/flow.yaml": _BAR["inn/flow.yaml"] + "  clauses: [inn.«prse¦purse»]\n",
}
_DINNER = [f'  say "{what} is served"' for what in ("soup", "fish", "roast", "cake")]
_DINNER += ['  step pay: say "everybody pays"', '  say "good night"']
_SERVED = _GAME | {
    "inn/serve.yaml": "kind: power\nid: serve\ngloss: dinner is served\neffect: |\n"
    + "\n".join(_DINNER)
    + "\n"
}
_SERVE = "target: inn:power/serve"

TABLE: dict[str, Code] = {
    "too-many-mistakes": described(
        "the error limit was reached",
        "Above 500 errors, or 10,000 warnings, the check stops: most of them will have one cause.",
        "a pack with 501 errors",
        "a pack with 500 errors, all of which are listed",
    ),
    "no-such-path": described(
        "there is no such file, folder or pack",
        "A path leads to a file or folder; a word alone may also be the id of a shipped pack.",
        "a path at which nothing lies",
        "the folder of a pack",
    ),
    "no-pack": pack(
        "what was named is no pack",
        "A pack is a folder, or a zip of one, with a `pack.yaml` that names it and its game.",
        {"cards.yaml": _LIMIT},
        {name.removeprefix("inn/"): text for name, text in _INN.items()},
    ),
    "pack-too-big": described(
        "a pack is too big",
        "A pack holds at most 20,000 files and 64 MiB of YAML; more is a wrong folder, or an attack.",
        "a folder of 20,001 files",
        "a folder of 20,000 files",
    ),
    "nested-pack": pack(
        "a pack lies inside another one",
        "Every YAML file in the folder of a pack belongs to it, so a second pack must lie beside it.",
        _GAME | {"inn/house/pack.yaml": _manifest("house")},
        _house(),
    ),
    "bad-manifest": pack(
        "the file `pack.yaml` is no manifest",
        "It holds one item, of the kind `pack`, and nothing else.",
        {"pack.yaml": _LIMIT},
        _GAME,
    ),
    "bad-version": pack(
        "a version cannot be read",
        "Versions are compared with what other packs require, so they are numbers with dots between them.",
        _GAME | {"inn/pack.yaml": _manifest("inn").replace("1.0.0", "«first¦1.0.0»")},
    ),
    "bad-range": pack(
        "a range of versions cannot be read",
        "A range is `>=1.0`, `>=1.0,<2.0`, `==1.2.*`, `^1.2` (1.2 and what should fit it) or `*`.",
        _house("requires: {inn: «1.0 or later¦'>=1.0'»}"),
    ),
    "unknown-edition": pack(
        "a pack is written in another edition of the language",
        "The edition says how effect text is read. This compiler knows only the ones it was made for.",
        _GAME | {"inn/pack.yaml": _manifest("inn").replace("edition: 1", "edition: «9¦1»")},
    ),
    "unknown-game": pack(
        "nobody knows the game that a pack is for",
        "The game is named by the id of the pack that holds its vocabulary.",
        _GAME | {"house/pack.yaml": _manifest("house").replace("game: inn", "game: «in¦inn»")},
    ),
    "missing-pack": pack(
        "a required pack cannot be found",
        "Required packs are shipped ones, or lie in a folder that is checked along with this one.",
        _packs(house="requires: {stables: '>=1.0'}"),
        _packs(house="requires: {stables: '>=1.0'}", stables=""),
    ),
    "wrong-version": pack(
        "a required pack is there in another version",
        "The range says which versions this pack can live with.",
        _house("requires: {inn: '>=«2¦1».0'}"),
    ),
    "pack-cycle": pack(
        "packs require each other in a circle",
        "What is required comes first, and here nothing could.",
        _packs(house="requires: {stables: '*'}", stables="«requires: {house: '*'}¦»"),
    ),
    "duplicate-pack": pack(
        "two packs have the same id",
        "Items are named after their pack, so its id must be its own.",
        _house() | {"manor/pack.yaml": _manifest("«house¦manor»")},
    ),
    "other-game": pack(
        "packs of two games are checked together",
        "Packs that are checked together make one game.",
        _GAME
        | {
            "mill/pack.yaml": _manifest("mill").replace("game: inn", "game: mill"),
            "mill/vocabulary.yaml": "kind: vocabulary\ngame: mill\n",
        },
        _house(),
    ),
    "misplaced-item": pack(
        "an item stands in the wrong file",
        "The manifest is looked for in `pack.yaml`, and scenarios are kept apart from what they try out.",
        _house(again=_manifest("house")),
        _house(),
    ),
    "duplicate-id": pack(
        "two items of one kind have the same id",
        "Whoever speaks of the id would not say which of them is meant.",
        _house(guests=_LIMIT),
        _GOOD_PATCH,
    ),
    "no-vocabulary": pack(
        "a game has no vocabulary",
        "The vocabulary says what there is in the game. It is an item of the game's own pack.",
        {"pack.yaml": _manifest("inn")},
        _GAME,
    ),
    "missing-driver": driver(
        "a query or an operation needs a driver in Python, and the game has none",
        "A driver answers queries without `of:` and carries out operations without `sets:`. "
        "What the vocabulary says by itself needs none, and neither do the queries about seats.",
        _PLAYED | {"inn/vocabulary.yaml": _INN["inn/vocabulary.yaml"] + _TIPSY},
        _PLAYED,
    ),
    "unknown-switch": pack(
        "a pack sets a switch that is not there",
        "A manifest sets switches of its game, by their ids.",
        _house("switches: {«super¦supper»: late}"),
    ),
    "unknown-option": pack(
        "a switch has no such option",
        "A switch is set to one of the options it lists.",
        _house("switches: {supper: «lat¦late»}"),
    ),
    "switch-conflict": pack(
        "two packs set a switch to different options",
        "Neither pack builds on the other, so neither may decide.",
        _packs(
            house="switches: {supper: late}",
            manor="switches: {supper: early}«¦\nrequires: {house: '*'}»",
        ),
    ),
    "told-twice": whole_packs(
        "two chapters of the rulebook tell the same",
        "A rulebook tells each power once, and refers to it from everywhere else.",
        _house(
            "rulebook:",
            "  chapters:",
            "    - {title: Evening, begins: turn}",
            "    - {title: Before, tells: [«turn¦set_up»]}",
            game=_EVENING,
        ),
    ),
    "unknown-setting": pack(
        "a pack sets a setting that is not there",
        "A manifest sets settings of its game, by their ids.",
        _house("settings: {«gusts¦guests»: 5}"),
    ),
    "setting-conflict": pack(
        "two packs set a setting to different values",
        "Neither pack builds on the other, so neither may decide.",
        _packs(
            house="settings: {guests: 5}",
            manor="settings: {guests: 6}«¦\nrequires: {house: '*'}»",
        ),
    ),
    "bad-patch": pack(
        "a patch does not say one clear thing",
        "A patch changes fields of one item, or of every item of a class, each once; or it disables them.",
        _house(more=_patch("more")),
        _GOOD_PATCH,
    ),
    "patch-matches-nothing": pack(
        "a patch changes something that is not there",
        "A patch that does nothing is a slip, and so is an exemption that exempts nothing. With "
        "`optional: target` what it is about need not be there.",
        _house(more=_patch("more", "set: {value: 5}", target="target: inn:setting/«guest¦guests»")),
    ),
    "patch-unknown-field": pack(
        "a patch changes a field that items of this kind do not have",
        "A misspelt field would silently do nothing.",
        _house(more=_patch("more", "set: {«valu¦value»: 5}")),
    ),
    "patch-type": pack(
        "a patch does not fit the value it changes",
        "`add` and `scale` need numbers, `append` and `remove` lists; `set` keeps the sort of value.",
        _house(more=_patch("more", "add: {«english¦value»: 1}")),
    ),
    "patch-number": pack(
        "a patch makes a number that no field can hold",
        "What holds whole numbers stays whole, and nothing is rounded behind your back: `1/2 rounded up` "
        "says how.",
        _house(more=_patch("more", 'scale: {value: "«1/3¦3/2»"}')),
    ),
    "patch-conflict": pack(
        "two patches give something different in either order",
        "The order in which packs are named never decides. One of the patches says `after:` or `merge:`; "
        "or a pack of yours sets the field, and comes `after:` both.",
        _house(more=_MORE, most=_MOST),
        _house(more=_MORE, most=_MOST_AFTER.replace("more", "house:patch/more")),
    ),
    "answer-order": whole_packs(
        "two packs answer a moment, and the order makes a difference",
        "Answers of packs that do not know each other may both add to an open value, both multiply it, or "
        "both bound it on one side, in any order. Any other says with `after:` what it comes after, in any "
        "item with abilities or in a trigger.",
        _TAVERN,
    ),
    "answers-in-fixed-order": whole_packs(
        "two packs answer one event, and by way of the table their order makes a difference",
        "One changes what the other reads, or both change it in ways that do not commute; or both replace "
        "the event. The order is that of the packs' names, which nobody has chosen: `after:` says it, or the "
        "`deciders:` of an extension name the player who is asked. What answers `rolled any` or `rolled "
        "each` always comes after `rolled NAME`, an operation always after `touched`: `after:` says that "
        "it is meant so.",
        _CELLAR,
    ),
    "patch-query": pack(
        "the condition of a class of items cannot be asked",
        "`where:` compares what is printed: numbers with numbers, words with words, and looks into lists.",
        _house(more=_patch("more", "where: «english¦value» > 3", "set: {value: 5}", target=_EVERY)),
    ),
    "class-as-printed": pack(
        "another patch makes an item look as if it belonged to a class, or no longer did",
        "A class is made of what is printed before any patch, so that it is the same in every order. Name "
        "the item under `except:` if that is meant, and give it a patch of its own if it needs one.",
        _house(
            more=_patch("more", "where: «value = 4¦max is none»", "set: {max: 9}", target=_EVERY),
            most=_patch("most", "set: {value: 5}"),
        ),
    ),
    "renamed": pack(
        "something is called by an old name",
        "Its pack has renamed it and keeps the old name alive with `renamed_from:`. Nothing is wrong yet; "
        "write the new name before the old one is given up.",
        _house(
            more=_patch("more", "set: {value: 5}", target="target: inn:setting/«visitors¦guests»")
        )
        | {"inn/guests.yaml": _LIMIT + "renamed_from: visitors\n"},
    ),
    "bad-rename": pack(
        "an old name leads to two items",
        "`renamed_from:` names what no item is called any longer, and what no other item was called before.",
        _GAME
        | {
            "inn/guests.yaml": f"{_LIMIT}renamed_from: supper-guests\n",
            "inn/more.yaml": f"{_DINERS}renamed_from: «supper-guests¦eaters»\n",
        },
    ),
    "like-circle": pack(
        "items are like one another in a circle",
        "An item that is `like` another one has what that one says; one of them has to say it.",
        _GAME
        | {
            "inn/guests.yaml": f"{_LIMIT}",
            "inn/more.yaml": "- {kind: setting, id: few, like: some}\n"
            "- {kind: setting, id: some, like: «few¦guests»}\n",
        },
    ),
    "smaller-patch": pack(
        "a patch gives a text anew to change a few lines beside or within a step",
        "Two packs that each give a text anew cannot be played together, and what a later version of the "
        "game does there is lost. Lines before, after or in place of a step leave the rest as it is.",
        _SERVED
        | _house(
            game={},
            more=_patch(
                "more",
                "replace-effect: |",
                *_DINNER[:4],
                *('  say "here comes the bill"',),
                *_DINNER[4:],
                target=_SERVE,
            ),
        ),
        _SERVED
        | _house(
            game={},
            more=_patch("more", "before-step:", '  pay: say "here comes the bill"', target=_SERVE),
        ),
    ),
    "patch-cycle": pack(
        "patches come after each other in a circle",
        "One of them must come first.",
        _house(more=_MORE_AFTER, most=_MOST_AFTER),
        _house(more=_MORE, most=_MOST_AFTER),
    ),
    "unknown-patch": pack(
        "a patch comes after one that is not there",
        "`after:` names another patch. With `optional: after` the other one need not be there.",
        _house(more=_MORE_AFTER),
        _house(more=_MORE_AFTER + "optional: after\n"),
    ),
    "too-many-patches": described(
        "there are too many patches",
        "Whoever changes more than 2,000 things has written another game.",
        "packs with 2,001 patches",
        "packs with 2,000 patches",
    ),
    "bad-archive": pack(
        "a zip cannot be read as a pack",
        "A zip is read in memory, by strict rules: names that lead nowhere else, each once and in "
        "UTF-8; no links, no passwords, no zip within the zip; and all that it says of an entry must "
        "be so. `python -m zipfile -c house.zip house/` makes a good one.",
        _zipped(**{"../more.yaml": _LIMIT}),
        _zipped(**{"more.yaml": _LIMIT}),
    ),
    "archive-too-big": described(
        "a zip is too big, or would be once it is unpacked",
        "A zip of a pack holds at most 20,000 entries and 64 MiB, also once it is unpacked, and 2 MiB in "
        "a file. What unpacks to more than 1 MiB and to more than 200 times its size is a bomb.",
        "a zip of 20,001 entries",
        "a zip of 20,000 entries",
    ),
    "case-clash": pack(
        "two names differ only in capital letters",
        "On many systems they are one file, as are names that only write an accent in two ways.",
        _zipped(**{"more.yaml": _LIMIT, "More.yaml": _DINERS}),
        _zipped(**{"more.yaml": _LIMIT, "most.yaml": _DINERS}),
    ),
    "extends-nothing": pack(
        "an extension is of something that is not there",
        "`extends:` names enums and entities of the game, or of a pack that the manifest requires. What "
        "is new stands under `enums:` or `entities:`.",
        _house(game=_DINING, more=_STEW.replace("Meal", "Meel")),
        _house(game=_DINING, more=_STEW, price=_STEW_PRICE),
    ),
    "bad-extension": whole_packs(
        "something cannot be added to the game",
        "What there is already has to have a value for a new field, a pack says which packs it builds "
        "on, and where a driver in Python decides over values and places, nothing can be added that it"
        " would not know.",
        _house(game=_DINING, luck=_LUCK),
    ),
    "unsaid-value": whole_packs(
        "something says nothing of a value that a pack has added",
        "A table or a printed field that had something for every value of an enum must have it for a "
        "new one too. The pack that adds the value patches it, and where two packs meet, a third that "
        "requires both.",
        _house(game=_DINING, more=_STEW),
        _house(game=_DINING, more=_STEW, price=_STEW_PRICE),
    ),
    "no-scenarios": described(
        "there is no case to play",
        "The file holds no scenario, so it tests nothing; perhaps `cases:` is missing or misspelt.",
        "a file without `cases:` and without any clause that has an `example:`",
        "a file with `kind: scenarios` and a list under `cases:`",
    ),
    "unreadable-case": whole_packs(
        "a case of a file of scenarios cannot be run",
        "A case has `id`, `clauses`, `given`, `when` and `then`, and remarks. The game can be played "
        "without it, but the case proves nothing, and `ruleloom test` fails it. Often a part of "
        "`given:` stands no further in than that.",
        {**_BAR, "inn/cases.yaml": _CASE},
    ),
    "idle-claim": whole_packs(
        "a claim of a case says nothing",
        "A claim that holds whatever happens proves nothing. Most often a word in it is misspelt: "
        "what is never asked, and never written in the log, is not asked here either.",
        {**_BAR, "inn/cases.yaml": _IDLE},
    ),
    "unknown-clause": whole_packs(
        "a clause is cited that no ledger has",
        "Items and scenarios cite the clauses of the rules under `clauses`, so that it can be told what "
        "carries out and proves each. Those that somebody has written down as items of `kind: clause` "
        "are known, and an id like theirs that none of them has proves nothing.",
        {**_BAR, **_CLAUSES},
    ),
    "packs-apart": described(
        "two packs do not go together",
        "Each compiles with what it requires, but not with the other one: whoever plays with both has no "
        "game. The messages beside this one say what is in the way.",
        "`ruleloom test ann bob`, where a patch of `bob` disables a card that a text of `ann` names",
        "`bob` requires `ann` and patches that text too, or leaves the card in the game",
    ),
}
