"""A model in one step, on the page: found or given with a key, tried, used by the next question, switched beside it."""

from collections.abc import Iterator
from dataclasses import dataclass

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.barriers import serious
from tests.browser.conftest import Browse, start_server
from tests.browser.rooms import ask, complete, composer
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.teams import TeamServer
from tests.browser.test_access import PHONE, wide_as_the_window
from tests.browser.test_accounts import sign_in
from tests.browser.watching import Watch
from tests.browser.words import like, say
from tests.llm.speaking_server import ModelServer, run_model_server

KEY = "sk-never-to-be-seen"
NOWHERE = "http://127.0.0.1:9/v1"


@dataclass
class Place:
    """A server of Pincite beside a server of models that it finds, and one that needs a key."""

    server: Server
    local: ModelServer
    gateway: ModelServer


@pytest.fixture(scope="module")
def _place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with run_model_server() as local, run_model_server(key=KEY, models=("good", "better")) as gateway:
        urls = {"OLLAMA": local.url, "LMSTUDIO": NOWHERE, "LLAMACPP": NOWHERE, "VLLM": NOWHERE}
        settings = {f"PROVIDERS__{name}__URL": url for name, url in urls.items()}
        server = start_server(tmp_path_factory.mktemp("models"), EMBEDDING__PROVIDER="none", **settings)
        yield Place(server, local, gateway)
        server.stop()


@pytest.fixture
def place(_place: Place) -> Place:
    """Nothing is set yet."""
    address = f"{_place.server.address}/api/models"
    for each in httpx2.get(f"{address}/setup").json()["models"]:
        httpx2.delete(f"{address}/added", params={"model": each["name"]})
    httpx2.delete(f"{address}/providers/{name_gateway(_place)}")
    httpx2.put(f"{address}/roles", json={"chat": "", "judge": ""})
    _place.local.wire.asked.clear()
    return _place


def name_gateway(place: Place) -> str:
    """The name of the server that needs a key, which the page makes from its address."""
    return f"127-0-0-1-{place.gateway.wire.port}"


def section(page: Page, language: str = "en") -> Locator:
    return page.get_by_role("region", name=say("settings.setup", language), exact=True)


def switch(page: Page) -> Locator:
    """The control beside the question."""
    return page.get_by_role("button", name=like("conversation.modelSwitch")).or_(
        page.get_by_role("button", name=like("conversation.modelSwitch.strict"))
    )


def test_a_model_server_on_this_machine_is_found_tried_and_answers_the_next_question(
    browse: Browse, place: Place
) -> None:
    page = browse(place.server, "/settings")
    models = section(page)
    expect(models.get_by_text(say("settings.setup.runs", server="Ollama"))).to_be_visible()
    models.get_by_role("button", name=say("settings.setup.try"), exact=True).click()
    trial = models.get_by_role("status", name=say("settings.trial"))
    expect(trial).to_contain_text(say("settings.trial.streaming.works"))
    expect(trial).to_contain_text(say("settings.trial.tools.works"))
    expect(trial).to_contain_text(say("settings.trial.judge.works", right=6, total=6))
    models.get_by_role("button", name=say("settings.setup.use"), exact=True).click()
    expect(page.get_by_text(say("settings.setup.used", model="llama3.2"))).to_be_visible()
    expect(models.get_by_role("radio", name="llama3.2")).to_be_checked()
    page.goto("/")
    expect(switch(page)).to_have_text("llama3.2")
    place.local.wire.asked.clear()
    complete(ask(page, "How high is the dam?"))
    assert any(each.body and each.body.get("stream") for each in place.local.wire.asked)


def test_the_start_page_names_the_model_server_on_this_machine_and_one_press_uses_it(
    browse: Browse, place: Place, watches: dict[Page, Watch]
) -> None:
    page = browse(place.server, "/", viewport=PHONE)
    expect(page.get_by_text(f"{say('conversation.begin.runs', server='Ollama')} llama3.2")).to_be_visible()
    assert serious(page) == []
    assert wide_as_the_window(page)
    switch(page).click()
    found = page.get_by_role("menuitem", name="llama3.2")
    expect(found).to_contain_text(say("conversation.modelSwitch.found", server="Ollama"))
    assert serious(page) == []
    page.keyboard.press("Escape")
    assert len(watches[page].sent("GET", "/api/models/local")) == 1
    page.get_by_role("button", name=say("settings.setup.use"), exact=True).click()
    expect(page.get_by_text(say("settings.setup.used", model="llama3.2"))).to_be_visible()
    expect(switch(page)).to_have_attribute("aria-label", say("conversation.modelSwitch", model="llama3.2"))
    expect(composer(page)).to_be_focused()
    expect(page.get_by_text(say("conversation.begin.runs", server="Ollama"))).to_have_count(0)


def test_a_pasted_key_lists_the_models_of_the_provider_and_is_never_shown_again(
    browse: Browse, place: Place, watches: dict[Page, Watch]
) -> None:
    page = browse(place.server, "/settings")
    watches[page].expect("400.*/api/models/providers/")
    models = section(page)
    models.get_by_label(say("settings.setup.provider"), exact=True).select_option(
        label=say("settings.setup.provider.other")
    )
    models.get_by_label(say("settings.setup.address"), exact=True).fill(place.gateway.url)
    key = models.get_by_label(say("settings.setup.key"), exact=True)
    key.fill("sk-wrong")
    models.get_by_role("button", name=say("settings.setup.list")).click()
    expect(models.get_by_role("alert")).to_contain_text(say("errors.model.key_refused"))
    key.fill(KEY)
    models.get_by_role("button", name=say("settings.setup.list")).click()
    model = models.get_by_label(say("settings.setup.model"), exact=True)
    expect(model.get_by_role("option")).to_have_text(["better", "good"])
    expect(key).to_have_value("")
    model.select_option(f"{name_gateway(place)}:good")
    models.get_by_role("button", name=say("settings.setup.use"), exact=True).last.click()
    expect(models.get_by_role("radio", name="good")).to_be_checked()
    assert KEY not in page.content()
    assert KEY not in str(place.server.get("/api/models/setup"))
    page.goto("/")
    expect(switch(page)).to_have_text("good")
    complete(ask(page, "How high is the dam?"))
    assert place.gateway.wire.asked[-1].headers["authorization"] == f"Bearer {KEY}"


def test_the_model_and_strict_answers_are_switched_beside_the_question_and_remembered(
    browse: Browse, scripted: Server, speaker: Speaker, watches: dict[Page, Watch]
) -> None:
    page = browse(scripted)
    expect(switch(page)).to_have_text("parrot")
    switch(page).click()
    page.get_by_role("menuitemradio", name=say("conversation.modelSwitch.none")).click()
    switch(page).click()
    page.get_by_role("menuitemcheckbox", name=say("settings.strict")).click()
    page.keyboard.press("Escape")
    page.reload()
    expect(switch(page)).to_have_text(say("conversation.modelSwitch.none"))
    complete(ask(page, "How deep is the quarry?"))
    (sent,) = watches[page].sent("POST", "/api/chat")
    assert (sent["chatModel"], sent["strict"]) == ("extractive", True)
    assert not [each for each in speaker.wire.asked if each.body]


def test_the_switch_is_used_by_keyboard_alone(browse: Browse, scripted: Server) -> None:
    page = browse(scripted)
    expect(switch(page)).to_have_text("parrot")
    switch(page).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitemradio").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(switch(page)).to_have_text(say("conversation.modelSwitch.none"))
    expect(switch(page)).to_be_focused()


def test_setting_a_model_keeps_nobody_out_and_fits_a_phone_in_french(browse: Browse, place: Place) -> None:
    page = browse(place.server, "/settings", viewport=PHONE, locale="fr-FR")
    models = section(page, "fr")
    expect(models.get_by_text(say("settings.setup.runs", "fr", server="Ollama"))).to_be_visible()
    models.get_by_label(say("settings.setup.provider", "fr"), exact=True).select_option(
        label=say("settings.setup.provider.other", "fr")
    )
    assert serious(page) == []
    assert wide_as_the_window(page)
    page.goto("/")
    expect(composer(page, "fr")).to_be_visible()
    page.get_by_role("button", name=like("conversation.modelSwitch", "fr")).click()
    expect(page.get_by_role("menuitemcheckbox")).to_be_visible()
    assert serious(page) == []
    assert wide_as_the_window(page)


def test_the_judge_is_chosen_on_the_page(browse: Browse, place: Place) -> None:
    httpx2.put(f"{place.server.address}/api/models/roles", json={"chat": "ollama:llama3.2"})
    page = browse(place.server, "/settings")
    judge = page.get_by_role("region", name=say("settings.judge"), exact=True)
    choice = judge.get_by_label(say("settings.judge.choose"))
    expect(choice).to_have_value("model")
    choice.select_option("off")
    expect(judge.get_by_text(say("settings.judge.off"))).to_be_visible()
    page.reload()
    expect(choice).to_have_value("off")
    assert place.server.get("/api/judge")["model"] == ""


def test_a_new_persona_is_typed_at_once(browse: Browse, scripted: Server) -> None:
    page = browse(scripted, "/settings")
    page.get_by_role("button", name=say("settings.persona.add")).click()
    expect(page.get_by_label(say("settings.persona.name"), exact=True)).to_be_focused()


def test_only_an_owner_sets_the_models_of_a_team(browse: Browse, team: TeamServer) -> None:
    page = sign_in(browse, team, team.add("Mona Model"), "/settings")
    expect(page.get_by_role("region", name=say("settings.models"))).to_be_visible()
    expect(section(page)).to_have_count(0)
