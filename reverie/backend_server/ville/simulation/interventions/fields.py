"""Types of the fields of interventions. They check a value, and say in JSON Schema how a form asks for it.

Texts lose control characters and surrounding blanks. Formats of our own are those of `Format`.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, Strict
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from ville.persona.prompt_template import caps
from ville.plain_text import one_line, shortened
from ville.storage.shapes import LAST_STEP, LONGEST_NAME

MOST_LINES = 32
"""In one conversation: sixteen of each side."""
EXCERPT = 40
"""Characters of a value that a message quotes."""
LONGEST_ADDRESS = 4 * caps.PLACE
Format = Literal["", "persona", "place", "object", "look", "duration", "moment"]
"""Meaning of a text or number for pages, which let a user choose it. `duration` is a number of steps, `moment` the
number of a step."""


@dataclass(frozen=True)
class TextLine:
    """A text on one line, without control characters and surrounding blanks."""

    longest: int
    shortest: int = 1
    format: Format = ""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        limits = {"minLength": self.shortest, "maxLength": self.longest}
        return {**handler(schema), **limits, **({"format": self.format} if self.format else {})}

    def check(self, text: str) -> str:
        """Return the text on one line. Raises ValueError."""
        line = one_line(text).strip()
        if len(line) < self.shortest:
            raise ValueError("is empty. Write something.")
        if len(line) > self.longest:
            excerpt = shortened(line, EXCERPT)
            raise ValueError(
                f"has {len(line):,} characters ('{excerpt}'); at most {self.longest:,} are allowed. Split it."
            )
        return line


Name = Annotated[str, TextLine(LONGEST_NAME)]
OptionalName = Annotated[str, TextLine(LONGEST_NAME, 0)]
PersonaName = Annotated[str, TextLine(LONGEST_NAME, format="persona")]
"""Of somebody who lives in the town."""
Look = Annotated[str, TextLine(LONGEST_NAME, format="look")]
Words = Annotated[str, TextLine(caps.WHISPER)]
Place = Annotated[str, TextLine(LONGEST_ADDRESS, format="place")]
"""Arena, sector or world."""
Thing = Annotated[str, TextLine(LONGEST_ADDRESS, format="object")]
Coordinate = Annotated[int, Field(ge=0, le=100_000)]
Tile = Annotated[tuple[Coordinate, Coordinate], Strict(strict=False)]
Spot = Tile | Annotated[str, TextLine(LONGEST_ADDRESS)]
"""A tile, or a place."""
Step = Annotated[int, Field(ge=0, le=LAST_STEP, json_schema_extra={"format": "moment"})]
Steps = Annotated[int, Field(ge=1, le=LAST_STEP, json_schema_extra={"format": "duration"})]
Turn = Annotated[tuple[Name, Annotated[str, TextLine(caps.INTERVIEW_LINE)]], Strict(strict=False)]
