"""What other programs can ask of an engine that opens simulations: typed requests, checked field by field."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter

from ville.simulation.clock import Span
from ville.simulation.commands.parse import read_speed
from ville.simulation.requests import End, InterviewRequest, Name, RemoteRequest, Title, checked_request, read_end
from ville.simulation.run_control import Speed
from ville.storage.shapes import Text

LONGEST_PATH = 300
MOST_SEED = 2**63
Seed = Annotated[int, Field(ge=-MOST_SEED, lt=MOST_SEED)]


class EngineOpen(RemoteRequest):
    """Open a simulation instead of the one that is open: resume it (`origin` equals `name`), or fork `origin`."""

    request: Literal["open"]
    origin: Name
    name: Name
    seed: Seed | None = None
    title: Title = ""
    past: Annotated[Text, Field(max_length=LONGEST_PATH)] = ""
    """History file to whisper first, relative to the folder of the assets."""
    run_until: End | None = None
    """Run this far at once."""
    speed: float | Literal["max"] | None = None

    @property
    def span(self) -> Span | None:
        """How far to run at once, if at all. Raises BadArgument."""
        return None if self.run_until is None else read_end(self.run_until)

    @property
    def pace(self) -> Speed | None:
        """The speed of runs, if it is given. Raises BadArgument."""
        return None if self.speed is None else read_speed(str(self.speed))


class EngineClose(RemoteRequest):
    """Save and close the open simulation."""

    request: Literal["close"]


class EngineInterview(InterviewRequest):
    """Ask a persona of a saved simulation, as of its last save."""

    request: Literal["interview"]
    sim_code: Name
    store: Literal["saved", "compressed"] = "saved"


EngineRequest = EngineOpen | EngineClose | EngineInterview
_REQUESTS: TypeAdapter[EngineRequest] = TypeAdapter(Annotated[EngineRequest, Field(discriminator="request")])
_NAMES: tuple[str, ...] = tuple(
    get_args(each.model_fields["request"].annotation)[0] for each in get_args(EngineRequest)
)


def parse_engine_request(values: Mapping[str, Any]) -> EngineRequest:
    """Return the request in a JSON object. Raises BadArgument, which names the first invalid field."""
    return checked_request(_REQUESTS, values, _NAMES)
