"""The servers on which all screens are looked at, each with something to show, made once for each process of a run."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from pincite.events import Outline, Section
from tests import files, sites
from tests.browser import papers
from tests.browser.running import Server, until
from tests.browser.speaking import speaking
from tests.browser.staging import Script, Telling, cite, evidence_of, staged
from tests.browser.teams import OWNER, PASSWORD, TeamServer, open_team
from tests.clock import PATIENCE
from tests.llm.speaking_server import run_model_server

NOWHERE = "http://127.0.0.1:9/v1"
TITLE = "Lease of the mill"
MEMBER, SPENT = "Bo Lind", "Cleo Moe"
LAW = "Article 12 of the tenancy law sets a notice period of four months for a mill."
WEB_PAGE = (
    "<html><head><title>The tenancy law</title></head><body><article><h1>Law</h1><p>{}</p></article></body></html>"
)
FERRY = "# Ferry\n\n## Hours\n\nThe ferry leaves at nine.\n\n- in summer\n- in winter\n\n> Not on Sundays.\n\n" + (
    "| Year | Passengers |\n|---|---|\n| 2023 | 4120 |\n| 2024 | 5300 |\n"
)
TABLE = "Year,Passengers,Crossings\n2023,4120,980\n2024,5300,1010\n"
CRANE = '"""The crane."""\n\n\ndef lift() -> int:\n    """Return how many tons the crane lifts."""\n    return 9\n'
BLOCKS = """The crane lifts nine tons [1]. I change both files.

crane.py
<<<<<<< SEARCH
    return 9
=======
    return 12
>>>>>>> REPLACE

crane.py
<<<<<<< SEARCH
    return "not there"
=======
    return 1
>>>>>>> REPLACE
"""
Start = Callable[..., Server]


@dataclass
class Place:
    """A server, what its paths name, and how a browser comes to it."""

    server: Server
    names: dict[str, str] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)


def _send(server: Server, method: str, path: str, body: Any) -> Any:
    answer = httpx2.request(method, server.address + path, json=body, timeout=PATIENCE)
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else None


@contextmanager
def open_desk(folder: Path, start: Start) -> Iterator[Place]:
    """A library of all kinds, conversations, notes and notebooks, a project, a web and a server of models."""
    project = folder / "harbour"
    project.mkdir(parents=True)
    (project / "crane.py").write_text(CRANE, encoding="utf-8")
    with ExitStack() as opened:
        speaker = opened.enter_context(speaking())
        local = opened.enter_context(run_model_server())
        web = opened.enter_context(sites.serving())
        urls = {"OLLAMA": local.url, "LMSTUDIO": NOWHERE, "LLAMACPP": NOWHERE, "VLLM": NOWHERE}
        server = start(
            folder / "data",
            EMBEDDING__PROVIDER="none",
            PROJECTS__FOLDERS=json.dumps([str(project)]),
            WEB__SEARCH_URL=f"http://{web.host}",
            WEB__ALLOW=json.dumps([web.host]),
            WEB__PAUSE_SECONDS="0",
            WEB__RENDER="false",
            **{f"PROVIDERS__{name}__URL": url for name, url in urls.items()},
            **speaker.settings,
        )
        opened.callback(server.stop)
        names: dict[str, str] = {}
        lease = names["lease"] = server.add(papers.lease(folder / "lease.pdf"))
        for name, text in {"ferry.md": FERRY, "table.csv": TABLE, "crane.py": CRANE}.items():
            (folder / name).write_text(text, encoding="utf-8")
            names[name.split(".")[0]] = server.add(folder / name)
        for name, data in {
            "deck.pptx": files.slides(),
            "word.docx": files.word(),
            "sums.xlsx": files.workbook(),
        }.items():
            (folder / name).write_bytes(data)
            names[name.split(".")[0]] = server.add(folder / name)
        (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing that follows")
        server.send(folder / "broken.pdf")
        web.pages["/law"] = sites.html(WEB_PAGE.format(LAW))
        web.pages["/search"] = sites.searxng({"url": web.url("/law"), "title": "The law", "content": LAW})
        names["web"] = server.ask("What does the tenancy law say?", focusMode="web", chatModel="extractive")
        page = _send(server, "POST", "/api/documents", {"url": web.url("/law")})["id"]
        until(lambda: server.get(f"/api/documents/{page}")["status"] == "ready")
        names["page"] = page
        for name in ("winter", "spring"):
            picture = {"Content-Type": "image/png"}
            web.pages[f"/{name}.png"] = sites.page(files.picture(name), picture)
        found = [
            {"category": "images", "url": web.url("/law"), "title": name, "img_src": web.url(f"/{name}.png")}
            for name in ("winter", "spring")
        ]
        web.pages["/search"] = sites.searxng(*found)
        names["pictures"] = server.ask("Show me pictures of the mill at Sandvik", chatModel="extractive")
        names["passages"] = server.ask("How much is the rent?", lease, chatModel="extractive")
        names["refusal"] = server.ask("What does the lease say about Kubernetes?", lease, chatModel="extractive")
        speaker.will(f"{papers.RENT} [1] {papers.DEPOSIT} [1]", looking_for="rent deposit")
        names["answer"] = server.ask("How much are rent and deposit?", lease)
        speaker.will(BLOCKS)
        names["changes"] = server.ask("Let the crane lift twelve tons.", project="harbour")
        speaker.fail(500, "The model is out of order.")
        body = {"message": "Who repairs the wheel?", "documents": [lease]}
        failed = httpx2.post(f"{server.address}/api/chat", json=body, timeout=PATIENCE)
        names["failed"] = failed.headers["x-conversation-id"]
        speaker.forget()
        colours = ("yellow", "green", "blue", "pink")
        for colour, words in zip(
            colours, (papers.NOTICE, papers.RENT, papers.DEPOSIT, papers.LEASE[0][0]), strict=True
        ):
            begin, end = server.span(lease, words)
            note = {"start": begin, "end": end, "colour": colour, "comment": f"It is {colour}."}
            _send(server, "POST", f"/api/documents/{lease}/annotations", note)
        names["span"] = "-".join(map(str, server.span(lease, papers.RENT)))
        begin, end = server.span(names["ferry"], "The ferry leaves at nine.")
        names["ferry_span"] = f"{begin}-{end}"
        note = {"start": begin, "end": end, "colour": "green"}
        _send(server, "POST", f"/api/documents/{names['ferry']}/annotations", note)
        notebook = names["notebook"] = _send(server, "POST", "/api/notebooks", {"title": "The mill"})["id"]
        begin, end = server.span(lease, papers.RENT)
        passage = {"kind": "passage", "document": lease, "start": begin, "end": end}
        for item in (passage, {"kind": "text", "text": "Ask the notary about it."}):
            _send(server, "POST", f"/api/notebooks/{notebook}/items", item)
        _send(server, "POST", "/api/workspaces", {"name": "Mill report", "libraries": ["default"]})
        _send(server, "POST", "/api/documents/tags", {"documents": [lease, names["ferry"]], "add": ["water"]})
        _send(server, "POST", "/api/personas", {"name": "Brief", "instructions": "Three sentences."})
        until(lambda: server.get("/api/documents", status=["failed"])["total"] == 1)
        yield Place(server, names)


@contextmanager
def open_stage(folder: Path, page: str) -> Iterator[Place]:
    """An answer with every verdict, a report, and an answer that is still being written."""
    script = Script()
    folder.mkdir()
    with staged(folder / "data", script, page) as server:
        document = server.add(papers.accounts(folder / "accounts.pdf"))
        closed, staff = cite(server, document, 1, papers.CLOSED), cite(server, document, 2, papers.STAFF)
        names = {}
        told = Telling(script)
        script.tell(evidence_of(closed), evidence_of(staff))
        _tell_verdicts(told, closed, staff)
        told.end()
        names["verdicts"] = server.ask("How did the year go?")
        told = Telling(script)
        headings = ("Bergen", "Staff")
        script.tell(Outline(sections=[Section(heading=each, question=f"{each}?") for each in headings]))
        told.say("## Bergen\n\n", papers.CLOSED, closed, support="verified", basis="quote")
        told.say("\n\n## Staff\n\n", papers.STAFF, staff, support="verified", basis="quote")
        told.end(outline=[{"heading": each, "question": f"{each}?"} for each in headings])
        names["report"] = server.ask("Write a report about the year.", focusMode="research")
        told = Telling(script)
        told.say("", "About four hundred people work there.", staff, support="unchecked", checking=True)
        body = {"message": "How many people work there?"}
        with httpx2.stream("POST", f"{server.address}/api/chat", json=body, timeout=PATIENCE) as begun:
            names["running"] = begun.headers["x-conversation-id"]
            try:
                yield Place(server, names)
            finally:
                told.end()


def _tell_verdicts(told: Telling, closed: Any, staff: Any) -> None:
    told.say("", papers.STAFF, staff, support="verified", basis="quote")
    told.say(" ", "Nine people joined it.", staff, support="partial", unsupported=["joined it"])
    told.say(" ", "Bergen closed in May.", closed, support="contradicted", source=papers.CLOSED)
    told.say("\n\n- ", "A buyer was found.", support="unsupported", suggested=[1])
    told.say("\n- ", "The lease was not renewed.", closed, support="unchecked")
    told.say("\n\n", "The sources do not name the landlord.", silent=True)


@contextmanager
def open_bare(folder: Path, page: str) -> Iterator[Place]:
    """A server with nothing on it yet."""
    folder.mkdir()
    with staged(folder / "data", Script(), page) as server:
        yield Place(server)


@contextmanager
def open_team_place(folder: Path, start: Start) -> Iterator[tuple[TeamServer, dict[str, str]]]:
    """A team with credits, groups, shares, and a conversation behind a link."""
    folder.mkdir()
    quota = {
        "QUOTA__PERSON_CREDITS": "100",
        "QUOTA__REFERRAL_CREDITS": "50",
        "QUOTA__PRICING_URL": "https://pricing.example/",
        "QUOTA__SUPPORT_EMAIL": "help@pincite.example",
        "QUOTA__REFERRAL_URL": "https://pincite.example/join?code={code}",
        "ACCOUNTS__GUESTS": "true",
    }
    with speaking() as speaker, open_team(folder / "data", start, **quota, **speaker.settings) as team:
        for name in (MEMBER, SPENT):
            team.add(name)
        team.spend(OWNER, 30)
        team.spend(MEMBER, 20, months_ago=1)
        team.spend(SPENT, 100)
        team.request(OWNER, "POST", "/api/groups", json={"name": "Counsel"}).raise_for_status()
        lease = team.send(OWNER, papers.lease(folder / "lease.pdf"))
        team.share(OWNER, "default", MEMBER, "reader")
        conversation = team.ask(OWNER, "How much is the rent?")
        link = team.request(OWNER, "POST", f"/api/conversations/{conversation}/links", json={})
        link.raise_for_status()
        names = {
            "join": team.invite("guest", "dora@example.org"),
            "reset": team.make_reset(MEMBER),
            "shared": "/shared#" + urlsplit(link.json()["url"]).fragment,
            "lease": lease,
            "conversation": conversation,
        }
        yield team, names


def enter_team(team: TeamServer, names: dict[str, str], name: str) -> Place:
    """The server as a person sees it who is signed in."""
    with httpx2.Client(base_url=team.server.address, timeout=PATIENCE) as browser:
        browser.post("/api/account/sign-in", json={"name": name, "password": PASSWORD}).raise_for_status()
        host = urlsplit(team.server.address).hostname
        cookies = [
            {"name": each.name, "value": each.value, "domain": host, "path": "/", "httpOnly": True, "sameSite": "Lax"}
            for each in browser.cookies.jar
        ]
    return Place(team.server, names, {"storage_state": {"cookies": cookies, "origins": []}})
