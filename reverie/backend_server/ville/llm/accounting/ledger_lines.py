"""The calls of a run as lines of JSON, for archives: without times of one machine, and without private interviews."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ville.llm.accounting.ledger import COLUMNS, FILE, INTERVIEWS, Ledger
from ville.llm.accounting.ledger_schema import OF_STUDY, PURPOSE
from ville.storage.files import compact

RUN, INTERVIEW = "run", "interview"


def ledger_lines(reverie: Path) -> Iterator[str]:
    """Yield the calls of a run as lines; of interviews only those that were marked as the study's when they began."""
    for of, file in ((RUN, FILE), (INTERVIEW, INTERVIEWS)):
        if (reverie / file).exists():
            with closing(Ledger.read(reverie, file)) as ledger:
                query = f"SELECT {', '.join(COLUMNS)} FROM calls ORDER BY id"  # noqa: S608 - names from our code
                for row in ledger.connection.execute(query):
                    call = dict(zip(COLUMNS, row, strict=True))
                    if of == RUN or call[PURPOSE] == OF_STUDY:
                        told = {name: value for name, value in call.items() if name != "began"}
                        yield compact({"ledger": of, **told, "key": bytes(call["key"]).hex()}) + "\n"
