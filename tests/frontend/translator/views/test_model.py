"""Choosing a model: kept in .env with its key, by those who sit at the machine of the town; no page gets a key back."""

import json
import re
from itertools import product

import pytest

from ville.storage.folders import read_env_file

KEY = "sk-mine-0123456789"
PHRASE = "the ferryman hums at noon"
HERE = "http://localhost:8000"
OPENAI = {"provider": "openai", "key": f" {KEY}\n"}
ASKED = ({"id": "1", "request": "models"}, {"id": "2", "request": "test_models"})


def test_a_choice_and_its_key_are_kept_and_the_key_is_never_sent_back(stage, client, settings):
    """Blanks around a pasted key are no part of it. Another choice leaves the key where it is."""
    stage.put(".env", "# mine\nVILLE_SEED=7\n")
    assert client.tell("/model_choice/", OPENAI).status_code == 204
    kept = {"VILLE_SEED": "7", "VILLE_PROVIDER": "openai", "OPENAI_API_KEY": KEY}
    assert read_env_file(settings.ENV_FILE) == kept
    assert client.tell("/model_choice/", {"provider": "ollama", "fast_model": "llama3.2"}).status_code == 204
    assert read_env_file(settings.ENV_FILE) == kept | {"VILLE_PROVIDER": "ollama", "VILLE_FAST_MODEL": "llama3.2"}
    shown = [client.get(address).content.decode() for address in ("/", "/model/", "/status/")]
    assert not any(KEY in text or KEY[-4:] in text for text in shown)
    assert client.tell("/model_key/", {"provider": "openai"}).status_code == 204
    assert KEY not in settings.ENV_FILE.read_text("utf-8")
    assert settings.ENV_FILE.read_text("utf-8").startswith("# mine\n")


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("key", ["sk one two", "sk-one\nVILLE_PASS=", "sk-\x00", "κλειδί", "sk-" + "x" * 1000])
def test_what_is_no_key_is_refused_in_one_line_that_does_not_quote_it(stage, client, key, language):
    """And nothing is kept, not even the provider."""
    before = stage.files()
    answer = client.tell("/model_choice/", OPENAI | {"key": key}, **{"Accept-Language": language})
    reason = answer.json()["error"]
    assert answer.status_code == 400
    assert ("ключ" in reason, "\n" in reason, key in reason) == (language == "ru", False, False)
    assert stage.files() == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"provider": "elsewhere"},
        {"base_url": "file:///etc/passwd"},
        {"base_url": "http://a b"},
        {"fast_model": "one\ntwo"},
        {"provider": "ollama", "key": KEY},
        {"advanced_model": "${HOME}"},
    ],
)
def test_what_cannot_be_meant_is_not_kept(stage, client, wrong):
    before = stage.files()
    answer = client.tell("/model_choice/", {"provider": "openai", **wrong})
    assert (answer.status_code, "\n" in answer.json()["error"]) == (400, False)
    assert {name: text for name, text in stage.files().items() if name != ".env.lock"} == before


def test_a_file_that_cannot_be_read_is_left_alone(stage, client, settings):
    """The answer says which line is wrong."""
    stage.put(".env", "VILLE_SEED=7\nwhat is this\n")
    assert ".env:2" in client.tell("/model_choice/", OPENAI).json()["error"]
    assert settings.ENV_FILE.read_text("utf-8") == "VILLE_SEED=7\nwhat is this\n"


@pytest.mark.django_db
def test_only_who_sits_at_the_machine_sees_or_chooses_models(stage, afar, settings):
    """With the pass phrase, if there is one: from elsewhere, it opens everything but this."""
    stage.listen(None)
    settings.PASS = PHRASE
    far, page = {"REMOTE_ADDR": "192.168.1.9"}, afar()
    assert page.get("/model/").status_code == 403
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.get("/sign_in/").content.decode())[1]
    page.post("/sign_in/", {"csrfmiddlewaretoken": token, "phrase": PHRASE, "next": "/"})
    before = stage.files()
    assert page.get("/wallet/", **far).status_code == 200
    assert page.get("/model/", **far).status_code == 403
    assert "/model/" not in page.get("/", **far).content.decode()
    chosen = [("/model_choice/", OPENAI), ("/model_key/", {"provider": "openai"})]
    asked = [("/engine/", each) for each in ASKED]
    for (address, body), more in product([*chosen, *asked], [far, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}]):
        text, headers = json.dumps(body), {"Origin": HERE}
        sent = page.post(address, text, content_type="application/json", headers=headers, **more)
        assert sent.status_code == 403, (address, more)
    assert stage.files() == before
    assert page.get("/model/").status_code == 200
    assert "/model/" in page.get("/").content.decode()
    assert page.tell("/model_choice/", OPENAI).status_code == 204


def test_what_the_engine_tells_of_models_is_for_this_machine_and_names_no_folder(stage, client, settings):
    """A path that the form shows stays: it was typed there."""
    engine = stage.listen(None)
    number = client.tell("/engine/", ASKED[0]).json()["number"]
    file = "/srv/models/model.gguf"
    told = {"form": {"model_file": file}, "chosen": {"fault": f"{file} is not there."}}
    engine.acknowledge(engine.read(number), {"id": "1", "request": "models", "result": "done", **told})
    ack = client.get(f"/engine/{number}/").json()["ack"]
    assert (ack["form"]["model_file"], ack["chosen"]["fault"]) == (file, "model.gguf is not there.")
    settings.PASS = ""
    assert client.get(f"/engine/{number}/", REMOTE_ADDR="192.168.1.9").status_code == 403


def test_other_sites_cannot_choose(stage, client):
    """Nor show the page in a frame, nor reach it by a name of theirs (DNS rebinding)."""
    before = stage.files()
    for headers in (
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": HERE, "Sec-Fetch-Site": "cross-site"},
    ):
        assert client.tell("/model_choice/", OPENAI, **headers).status_code == 403
    rebound = {"Host": "elsewhere.example:8000", "Origin": "http://elsewhere.example:8000"}
    assert client.tell("/model_choice/", OPENAI, **rebound).status_code == 400
    assert client.get("/model/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert "frame-ancestors 'none'" in client.get("/model/")["Content-Security-Policy"]
    assert stage.files() == before
