"""What the reader found, as tables keep it and phones and programs are shown it."""

from typing import TYPE_CHECKING, Any

from msgspec import structs

from web.table.json_document import RefusalDocument, refusal_document
from web.table.photo_state import FoundDie, ReadingResult

if TYPE_CHECKING:
    import vision


def reading_result(reading: "vision.Reading") -> ReadingResult:
    return ReadingResult(
        [found_die(die) for die in reading.dice],
        [found_die(die) for die in reading.aside],
        [_question(ask) for ask in reading.asks],
        reading.sure,
        None if reading.trace is None else reading.trace.to_text(),
    )


def _question(ask: "vision.Ask") -> RefusalDocument:
    """The document of a question, with its place in the photo, if it has one, as the parameter `box`."""
    asked = refusal_document(ask)
    if ask.box is None:
        return asked
    return structs.replace(asked, params={**asked.params, "box": [round(side, 1) for side in ask.box]})


def found_die(die: Any, scale: float = 1.0) -> FoundDie:
    """The die, with its box `scale` times as large."""
    x0, y0, x1, y1 = (round(scale * float(side), 1) for side in die.box)
    return FoundDie(
        value=die.value,
        confidence=round(float(die.confidence), 3),
        sure=bool(die.sure),
        box=(x0, y0, x1, y1),
        alternatives=list(die.alternatives),
    )
