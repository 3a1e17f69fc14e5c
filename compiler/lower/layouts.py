"""Layouts: how things that items make are printed as cards. Lengths become micrometres, and each icon and
colour that a card may ask for has to be there."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ruleloom.compiler.diagnostics.suggest import did_you_mean, offer
from ruleloom.compiler.flow.context import Typed
from ruleloom.compiler.flow.flow import NO_FACTS, Facts
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.lower.sheets import ShownTexts, is_made_in_play, one_thing
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.yaml.node import YamlNode, text_of, to_data
from ruleloom.runtime.program import program
from ruleloom.runtime.program.lengths import micrometres
from ruleloom.runtime.program.program import Expr

SHIPPED = ("serif", "sans")
BLEED, LARGEST = "3mm", 600_000
OF_ITEMS = ("facts", "rules", "words")
FILLS = ("text", "show", "icon", "art")
OTHERWISE = "otherwise"


def build_layout(bodies: Bodies, item: Item) -> program.CardLayout | None:
    """Check one layout; None after an error."""
    param = one_thing(bodies, item, "a layout", made_in_play=True)
    if param is None:
        return None
    made = is_made_in_play(bodies, param.type)
    texts = ShownTexts(bodies, item, (param,), not made)
    reader = _Layouts(texts, _map(item, "icons"), _map(item, "fonts"))
    size = item.fields["size"]
    if any(not 0 < side <= LARGEST for side in micrometres(text_of(size))):
        message = "a card of this size cannot be printed"
        bodies.report.error("out-of-range", size.place, message, "from 1 to 600 millimetres")
    where, known = reader.test(item.fields.get("where"))
    frames = _map(item, "frames")
    boxes, back = (
        tuple(
            reader.rectangle(name, node, known) for name, node in item.fields[field].entries.items()
        )
        if field in item.fields
        else ()
        for field in ("boxes", "back")
    )
    return program.CardLayout(
        item.id,
        param.type.name,
        where,
        str(item.data("english") or ""),
        text_of(size),
        _length(item.data("bleed"), BLEED),
        reader.one_of(item.fields.get("frame"), frames, "frame", known),
        tuple(frames.items()),
        tuple(reader.icons.items()),
        boxes,
        back,
        bodies.content.origin(item.place),
    )


def _map(item: Item, field: str) -> Mapping[str, str]:
    return item.data(field) or {}


def _length(text: Any, otherwise: str = "0mm") -> int:
    return micrometres(text or otherwise)[0]


class _Layouts:
    """Reads the rectangles of one layout."""

    def __init__(
        self, texts: ShownTexts, icons: Mapping[str, str], fonts: Mapping[str, str]
    ) -> None:
        self.texts, self.icons, self.fonts = texts, icons, fonts
        self.report = texts.bodies.report

    def test(self, node: YamlNode | None, known: Facts = NO_FACTS) -> tuple[Expr | None, Facts]:
        """A condition, and what is known where it holds."""
        typed = self.texts.expression(node, known, asked=True) if node is not None else None
        return (typed.expr, typed.yes) if typed is not None else (None, known)

    def rectangle(self, name: str, node: YamlNode, known: Facts) -> program.LayoutBox:
        """One of its rectangles."""
        data: dict[str, Any] = {name: to_data(one) for name, one in node.entries.items()}
        filled = [field for field in FILLS if field in data]
        if len(filled) > 1:
            message = f"one of `{'`, `'.join(FILLS)}` is printed here, not {len(filled)} of them"
            second = node.entries[filled[1]]
            self.report.error(
                "wrong-fields", second.place, message, "write two of `boxes`, one for each"
            )
        self._check_font(node, data)
        printed = [part for part in data.get("show", ()) if part in OF_ITEMS]
        if "art" in data or printed:
            self._refuse_item(node, printed)
        left, top, width, height = micrometres(data["place"])
        if width <= 0 or height <= 0:
            message = "nothing can be printed in so little room"
            help = "left, top, width and height"
            self.report.error("out-of-range", node.entries["place"].place, message, help)
        where, known = self.test(node.get("where"), known)
        domain, text = self._text(node, known)
        points = data.get("points", 9)
        plain = ("font", "bold", "italic", "align", "stand", "turned", "ink", "ground", "art")
        return program.LayoutBox(
            name,
            *(left, top, width, height),
            where=where,
            domain=domain,
            text=text,
            show=tuple(data.get("show", ())),
            icon=self.one_of(node.get("icon"), self.icons, "icon", known),
            points=points,
            least=min(points, data.get("least", points)),
            edge=_length(data.get("edge")),
            rounding=_length(data.get("rounding")),
            **{field: data[field] for field in plain if field in data},
        )

    def _text(self, node: YamlNode, known: Facts) -> tuple[Expr | None, program.Template]:
        """The text of a rectangle, and the list for each of whose members it is written."""
        each, text = node.get("each"), node.get("text")
        if each is None:
            return None, self.texts.filled(text, known) if text is not None else ()
        domain, inside = self.texts.gone_through(each)
        if text is None:
            message, help = "nothing is said of each of them", "`text`, with the name in it"
            self.report.error("wrong-fields", each.place, message, help)
        # Without a list, the name in the text is unknown.
        return domain, inside.filled(text, known) if text is not None and inside is not None else ()

    def _check_font(self, node: YamlNode, data: Mapping[str, Any]) -> None:
        """Report a font that the layout does not have, and what the file of an own one says already."""
        font, own = data.get("font", SHIPPED[0]), self.fonts
        if font in SHIPPED:
            return
        if font not in own:
            message, place = f"there is no font `{font}`", node.entries["font"].place
            self.report.error("unknown-name", place, message, offer(font, [*SHIPPED, *own]))
        for style in ("bold", "italic"):
            if data.get(style):
                message = f"whether `{font}` is {style} is said by its file"
                help = f"another of `fonts:`, with the {style} file"
                self.report.error("wrong-fields", node.entries[style].place, message, help)

    def _refuse_item(self, node: YamlNode, printed: Sequence[str]) -> None:
        """Report what only items have, on a thing that none makes."""
        if not self.texts.at_rest:
            field, said = ("show", printed[0]) if printed else ("art", "art")
            message = f"what is made in play comes from no item, so that it has no `{said}`"
            help = "`title`, `sort`, or a `text` with what is so of it"
            self.report.error("wrong-fields", node.entries[field].place, message, help)

    def one_of(
        self,
        node: YamlNode | None,
        named: Collection[str],
        what: str,
        known: Facts,
    ) -> Expr | None:
        """A name, or a value of an enum whose values are all names, unless there is one for all others."""
        if node is None:
            return None
        if text_of(node) in named:
            return "value", text_of(node)
        symbols = self.texts.bodies.symbols
        if re.fullmatch(r"\w+", text_of(node)) and text_of(node) not in symbols.callables:
            message = f"there is no {what} `{text_of(node)}`"
            self.report.error(
                "unknown-name", node.place, message, did_you_mean(text_of(node), named)
            )
            return None
        typed = self.texts.expression(node, known)
        return self._of_enum(node, typed, named, what) if typed is not None else None

    def _of_enum(
        self, node: YamlNode, typed: Typed, named: Collection[str], what: str
    ) -> Expr | None:
        symbols = self.texts.bodies.symbols
        values = symbols.enums.get(typed.type.name)
        if values is None or typed.type.many:
            message = f"a value of an enum is wanted here, which tells the {what}"
            self.report.error("type-mismatch", node.place, message, f"or the name of one {what}")
            return None
        missing = [one for one in values if one not in named]
        if missing and OTHERWISE not in named:
            message = f"there is no {what} for `{missing[0]}`"
            help = f"`{what}s:` holds one for each value of {typed.type.name}, or `{OTHERWISE}`"
            self.report.error("unknown-name", node.place, message, help)
            return None
        return typed.expr
