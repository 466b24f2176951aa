"""Exported tables are what the files of a run say, in every format, without what is private."""

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import networkx as nx
import pandas as pd
import pytest
from remembered import ADA, BEN, CLEO, EVENING, remembering, talk, thought

from ville.analysis.comparison.compared_run import find_run
from ville.analysis.measures import NewsTopic, acquaintances, talks
from ville.analysis.news import news_of
from ville.analysis.tables.run_tables import RunTables
from ville.analysis.ties import social_graph
from ville.cli.export_command import main
from ville.errors import CannotWrite, MissingPackage
from ville.llm.accounting.ledger import INTERVIEWS, CallRecord, CallResult, Ledger
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import ChatMessage, ChatRequest, Usage
from ville.sharing.table_files import export as exporting
from ville.sharing.table_files.export import FILE_WRITERS, export

PROMPT, ANSWER = "Where is the tin whistle?", "=SUM(A1) Ünder the quilt"
COSTS = (0.25, 0.5, None)
NEWS = NewsTopic.matching("talk|lunch|morning")
FAIR = NewsTopic.matching(r"\bfair\b")


@pytest.fixture
def lived_run(lived, tmp_path):
    """A morning in which users talked, saved and with three calls; return the function that makes its tables."""
    root = tmp_path / "storage/lived"
    shutil.copytree(lived.root / "storage/lived", root)
    (root / "reverie" / INTERVIEWS).unlink()
    with closing(Ledger.open(root / "reverie")) as ledger:
        for number, cost in enumerate(COSTS):
            message = ChatMessage("user", f"{PROMPT} {number}")
            usage = Usage(prompt_tokens=100 + number, completion_tokens=10, cost=cost)
            request = ChatRequest("plan/x", {}, (message,), {}, ADA, number)
            call = ledger.begin(CallRecord.of(request), MostUsage("m", usage), datetime.now(UTC))
            ledger.finish(call, CallResult(1.5, usage, answer=ANSWER))

    def tables(name="lived", **chosen):
        return RunTables(find_run(tmp_path / "storage", lived.root / "compressed", name), **chosen)

    return tables


def _rows_of(path, form, name):
    """Return the rows of a table as another program reads them: mappings of texts, numbers, and None."""
    if form == "csv":
        with (path / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return [{key: cell or None for key, cell in row.items()} for row in csv.DictReader(file)]
    if form == "jsonl":
        return [json.loads(line) for line in (path / f"{name}.jsonl").read_text("utf-8").splitlines()]
    if form == "parquet":
        frame = pd.read_parquet(path / f"{name}.parquet")
        return frame.astype(object).where(frame.notna(), None).to_dict("records")
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f'SELECT * FROM "{name}"')]  # noqa: S608 - names from our code


def _plain(cell, form):
    """Return a value of a table as a format has it."""
    if isinstance(cell, datetime):
        return (
            pd.Timestamp(cell)
            if form == "parquet"
            else cell.isoformat(" ", "milliseconds" if cell.microsecond else "seconds")
        )
    if form == "csv":
        text = "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)
        return (f"'{text}" if isinstance(cell, str) and text[:1] in set("=+-@") else text) or None
    return cell


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "sqlite"])
def test_a_format_holds_the_rows_of_all_tables(lived_run, tmp_path, form):
    """Each value as it was, missing ones too; the description has the number of rows, and all columns."""
    tables, path = lived_run(private=True), tmp_path / "out"
    written = export(tables, form, path)
    for name, table in tables.items():
        columns = [column.name for column in table.columns]
        rows = [[_plain(cell, form) for cell in row] for row in table.rows()]
        assert [[row[column] for column in columns] for row in _rows_of(path, form, name)] == rows, name
        assert written.rows[name] == len(rows)
    if form in FILE_WRITERS:
        about = json.loads((path / "tables.json").read_text("utf-8"))
        assert {name: part["rows"] for name, part in about["tables"].items()} == written.rows
        assert all(column["meaning"] for part in about["tables"].values() for column in part["columns"])


def test_tables_are_what_the_files_say(lived_run):
    """Counts and sums of what is in the files: records of steps, memories, lines, evidence, tokens, cost."""
    tables = lived_run(private=True)
    run = tables.run
    frames = {name: table.to_frame() for name, table in tables.items()}
    records = [record for step in range(run.steps) for record in run.frame(step).items()]
    movements = frames["movements"]
    assert list(movements["person"]) == [name for name, _ in records]
    assert movements["x"].sum() == sum(record["movement"][0] for _, record in records)
    assert movements["talks"].sum() == sum(bool(record["chat"]) for _, record in records)
    assert frames["actions"]["steps"].sum() == len(records)
    nodes = [node for each in run.memories.values() for node in each]
    assert frames["memories"]["poignancy"].sum() == sum(node["poignancy"] for node in nodes)
    resting = [node for node in nodes if node["type"] != "chat"]
    evidence = frames["retrievals"].query("how == 'evidence'")
    assert len(evidence) == sum(len(node["filling"] or ()) for node in resting)
    said = {tuple(line) for node in nodes if node["type"] == "chat" for line in node["filling"]}
    assert set(zip(frames["conversations"]["speaker"], frames["conversations"]["words"], strict=True)) == said
    calls = frames["calls"]
    assert (len(calls), calls["prompt_tokens"].sum(), calls["cost"].sum()) == (3, 303, 0.75)
    assert calls["cost"].isna().sum() == 1


def test_ties_are_those_that_pages_and_the_command_show(lived_run):
    """Every row is a tie that lasts at the end, of the kinds that it names, and there are no others; the measures of
    the paper, which have no directions, count the same.
    """
    tables = lived_run(private=True)
    ties, run = tables["ties"].to_frame(), tables.run
    graph = social_graph(run)
    kinds = {
        "knows": ties[ties["knows"]],
        "talked": ties[ties["talks"] > 0],
        **{kind: ties[ties["liking"] == kind] for kind in ("likes", "dislikes")},
    }
    rows = {(kind, *pair) for kind, part in kinds.items() for pair in zip(part["person"], part["other"], strict=True)}
    assert rows == {(tie.kind, tie.who, tie.other) for tie in graph.ties if tie.until is None}
    assert {each.kind: each.ties for each in graph.moments[-1].measures} == {
        kind: len(part) for kind, part in kinds.items()
    }
    known = ties[ties["acquainted"]]
    pairs = {frozenset(pair) for pair in zip(known["person"], known["other"], strict=True)}
    assert pairs == acquaintances(run, run.ends)
    most = {
        frozenset(pair): count for *pair, count in ties[["person", "other", "talks"]].itertuples(index=False) if count
    }
    assert most == {pair: count for pair, count in talks(run).items() if pair <= set(run.people)}


def test_news_are_the_tree_of_the_page(small_town):
    """Ben claims what nobody told him, Ada hears it from him, and Cleo, who had read of it, tells it to Ben: rows with
    a teller who knew before are the edges of `ville.news`.
    """
    claim, told = (BEN, "There is a fair."), (CLEO, "The fair is tomorrow.")
    run = remembering(
        small_town.root / "storage/base",
        Ada=[talk(BEN, claim)],
        Ben=[talk(ADA, claim), talk(CLEO, told, when=EVENING)],
        Cleo=[thought("Cleo has read of a fair"), talk(BEN, told, when=EVENING)],
    )
    tables = RunTables(run, news=[FAIR])
    news, tellings = tables["news"].to_frame().set_index("person"), tables["tellings"].to_frame()
    known = {who: (row["how"], row["step"], row["memory"], row["claims"]) for who, row in news.iterrows()}
    assert known == {CLEO: ("own", 0, 1, False), ADA: ("told", 720, 1, False), BEN: ("claimed", 720, 1, True)}
    edges = news[news["teller"].isin(news.index)]["teller"].to_dict()
    assert edges == news_of(run, FAIR).parents == {ADA: BEN}
    assert tellings[["teller", "listener", "step", "first", "supported"]].to_numpy().tolist() == [
        [BEN, ADA, 720, True, False],
        [CLEO, BEN, 1080, False, True],
    ]


def test_the_graph_has_the_ties(lived_run, tmp_path):
    """Its edges are the rows, with numbers as numbers; all people are nodes."""
    tables, path = lived_run(private=True), tmp_path / "out.graphml"
    export(tables, "graphml", path)
    graph, ties = nx.read_graphml(path), tables["ties"].to_frame()
    assert set(graph) == set(tables.run.people)
    assert set(graph.edges) == set(zip(ties["person"], ties["other"], strict=True))
    assert sum(talks for *_, talks in graph.edges(data="talks")) == ties["talks"].sum()


def test_traces_have_a_span_for_each_call(lived_run, tmp_path):
    """In the form of the protocol: texts for large numbers, ids of 16 and 8 bytes, one line; tokens and time are of
    the ledger. Calls of a step are one trace.
    """
    path = tmp_path / "out.otlp.json"
    export(lived_run(), "otlp-json", path)
    (line,) = path.read_text("utf-8").splitlines()
    ((scope,),) = ([resource["scopeSpans"] for resource in json.loads(line)["resourceSpans"]],)
    spans = scope[0]["spans"]
    values = [{each["key"]: next(iter(each["value"].values())) for each in span["attributes"]} for span in spans]
    assert sum(int(each["gen_ai.usage.input_tokens"]) for each in values) == 303
    assert {int(span["endTimeUnixNano"]) - int(span["startTimeUnixNano"]) for span in spans} == {1_500_000_000}
    assert {(len(span["traceId"]), len(span["spanId"])) for span in spans} == {(32, 16)}
    assert len({span["spanId"] for span in spans}) == len(COSTS)
    assert len({span["traceId"] for span in spans}) == len({each["ville.step"] for each in values})


@pytest.mark.parametrize("form", ["csv", "jsonl", "sqlite", "graphml", "otlp-json"])
@pytest.mark.parametrize("name", ["lived", "lived@10:59"])
def test_what_is_private_is_in_no_file(lived_run, secrets, tmp_path, form, name):
    """Words of users, what they were about, prompts and answers; with `private`, they are there."""
    paths = [tmp_path / f"out_{private}" for private in (False, True)]
    for private, path in enumerate(paths):
        export(lived_run(name, private=bool(private), news=[NEWS]), form, path)
    public, private = (
        "".join(file.read_bytes().decode("utf-8", "replace") for file in ([path] if path.is_file() else path.iterdir()))
        for path in paths
    )
    words = [*secrets[1:], PROMPT, ANSWER]  # the first was asked in an interview, which the run does not have
    assert [each for each in words if each in public] == []
    if form == "otlp-json":
        assert PROMPT in private
    elif form != "graphml" and name == "lived":
        assert [each for each in words if each not in private] == []


def test_a_run_until_a_moment_ends_there(lived_run):
    """No row is of a later step, and there are fewer."""
    tables = lived_run("lived@10:00")
    for name in ("movements", "memories", "conversations", "calls"):
        assert (tables[name].to_frame()["step"] < tables.run.steps).all(), name
    whole = len(list(lived_run()["movements"].rows()))
    assert 0 < len(list(tables["movements"].rows())) < whole


def test_a_compressed_run_has_the_same_tables(lived_run, tmp_path):
    """Movements, actions and conversations, memories and their uses; only calls are not in a recording."""
    saved = {name: list(table.rows()) for name, table in lived_run().items()}
    shutil.rmtree(tmp_path / "storage/lived")
    compressed = {name: list(table.rows()) for name, table in lived_run().items()}
    assert compressed.pop("calls") == []
    saved.pop("calls")
    assert compressed == saved


def test_nothing_is_replaced_unasked_and_nothing_left_half(lived_run, tmp_path, monkeypatch):
    """Also if an export fails in the middle, files stay as they were; a folder that is not an export always stays."""
    path, mine = tmp_path / "out", tmp_path / "mine"
    mine.mkdir()
    (mine / "poem.txt").write_text("Roses", "utf-8")
    export(lived_run(), "csv", path, names=["people"])
    before = {file.name: file.read_bytes() for file in path.iterdir()}
    with pytest.raises(CannotWrite, match="--replace"):
        export(lived_run(), "csv", path)
    with pytest.raises(CannotWrite, match="not a folder of tables"):
        export(lived_run(), "csv", mine, replace=True)
    for form, place, fault in (
        ("csv", mine / "poem.txt", "is a file; csv makes a folder"),
        ("sqlite", mine, "is a folder"),
        ("sqlite", mine / "poem.txt/a", "is a file, so nothing can be put into it"),
    ):
        with pytest.raises(CannotWrite, match=fault):
            export(lived_run(), form, place, replace=True)
    assert (mine / "poem.txt").read_text("utf-8") == "Roses"

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(exporting.FILE_WRITERS, "csv", full)
    with pytest.raises(CannotWrite, match="No space left"):
        export(lived_run(), "csv", path, replace=True)
    assert {file.name: file.read_bytes() for file in path.iterdir()} == before
    monkeypatch.undo()
    export(lived_run(), "csv", path, replace=True)
    assert len(list(path.iterdir())) > len(before)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mine", "out", "storage"]


def test_a_missing_package_is_said_before_anything_is_read(lived_run, tmp_path, monkeypatch):
    """In one line, with the command that installs it."""
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(MissingPackage, match=r"pip install .*\[tables\]"):
        export(lived_run(), "parquet", tmp_path / "out")


def test_the_command_says_what_it_wrote_and_left_out(lived_run, lived, tmp_path, monkeypatch, capsys):
    """The rows of each table, and what is private; a fault is one line."""
    monkeypatch.chdir(tmp_path)
    tables, where = (
        lived_run(),
        ["--storage", str(tmp_path / "storage"), "--compressed", str(lived.root / "compressed")],
    )
    assert main(["lived", "--to", "jsonl", "--tables", "people, ties", *where]) == 0
    told = capsys.readouterr().out
    assert f"{len(list(tables['ties'].rows()))} rows" in told
    assert f"{tables.left_out['conversations']} conversations with users" in told
    assert sorted(path.name for path in (tmp_path / "lived-tables").iterdir()) == [
        "people.jsonl",
        "tables.json",
        "ties.jsonl",
    ]
    for wrong, fault in (
        (["nowhere"], "There is no simulation"),
        (["lived", "--tables", "tie"], "did you mean 'ties'?"),
    ):
        assert main([*wrong, "--to", "csv", *where]) == 1
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 1
        assert fault in lines[0]
