import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chosenLanguage } from "../../src/i18n";
import type { SetupState, Trial } from "../../src/settings/modelSetupApi";

const { asked, answers } = vi.hoisted(() => {
  const asked: [string, string, unknown][] = [];
  const answers: Record<string, (body: unknown) => Response> = {};
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const body = text ? JSON.parse(text) : null;
    asked.push([request.method, pathname, body]);
    return answers[`${request.method} ${pathname}`]?.(body) ?? Response.json({}, { status: 404 });
  });
  return { asked, answers };
});
const { ModelSetup } = await import("../../src/settings/ModelSetup");

const KEY = "sk-never-to-be-seen";
const provider = (name: string, title: string, more: object = {}) => ({
  name,
  title,
  address: "",
  needs_key: true,
  has_key: false,
  local: false,
  set_in: "" as const,
  is_locked: false,
  ...more,
});
const role = (model: string) => ({ model, setting: model, set_in: "" as const });
const empty: SetupState = {
  providers: [provider("openai", "OpenAI"), provider("mistral", "Mistral")],
  models: [],
  chat: role("extractive"),
  system: role("extractive"),
  judge: role(""),
};
const withModel: SetupState = {
  ...empty,
  models: [{ name: "openai:gpt-5", streams: true, tools: false, judges: true, tried: 1 }],
  chat: { ...role("openai:gpt-5"), set_in: "page" },
};

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  chosenLanguage.set("en");
  asked.length = 0;
  for (const name of Object.keys(answers)) delete answers[name];
  answers["GET /api/models/setup"] = () => Response.json(empty);
  answers["GET /api/models/local"] = () => Response.json([]);
  answers["GET /api/models/choices"] = () => Response.json({ models: [], strict: false });
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

const show = async () => {
  await act(async () => root.render(<ModelSetup onChanged={() => undefined} />));
  await act(async () => {});
};
const button = (name: string) => [...place.querySelectorAll("button")].find((each) => each.textContent === name);
const press = async (name: string) => {
  await act(async () => button(name)?.click());
  await act(async () => {});
};
const choose = (select: HTMLSelectElement | null, value: string) =>
  act(() => {
    if (!select) return;
    select.value = value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
const sent = (method: string, path: string) => asked.filter(([m, p]) => m === method && p === path).map(([, , b]) => b);

test("a server on this machine is offered by name, and one click uses its model", async () => {
  answers["GET /api/models/local"] = () =>
    Response.json([
      { provider: "ollama", title: "Ollama", address: "http://localhost:11434/v1", models: ["ollama:llama3.2"] },
    ]);
  answers["PUT /api/models/roles"] = () => Response.json(withModel);
  await show();
  expect(place.textContent).toContain("Ollama is running.");
  await press("Use it");
  expect(sent("PUT", "/api/models/roles")).toEqual([{ chat: "ollama:llama3.2" }]);
});

test("a pasted key is sent once, and its field is empty afterwards", async () => {
  answers["PUT /api/models/providers/openai"] = () => Response.json({ models: ["openai:gpt-5", "openai:gpt-5-mini"] });
  await show();
  choose(place.querySelector("select"), "openai");
  const field = place.querySelector<HTMLInputElement>("input[type=password]");
  if (field) field.value = ` ${KEY} `;
  await press("Show its models");
  expect(sent("PUT", "/api/models/providers/openai")).toEqual([{ key: KEY, url: "", plain: false }]);
  expect(place.querySelector<HTMLInputElement>("input[type=password]")?.value).toBe("");
  const models = [...place.querySelectorAll(".model-picker option")].map((each) => each.textContent);
  expect(models).toEqual(["gpt-5", "gpt-5-mini"]);
  expect(place.innerHTML).not.toContain(KEY);
});

test("a key that the provider refuses is told in plain words", async () => {
  const error = { code: "model", message: "openai does not accept the key (401).", hint: "Check X", reason: "refused" };
  answers["PUT /api/models/providers/openai"] = () => Response.json({ error }, { status: 400 });
  await show();
  choose(place.querySelector("select"), "openai");
  await press("Show its models");
  expect(place.querySelector("[role=alert]")?.textContent).toContain("The provider does not accept this key.");
  expect(place.querySelector(".model-picker")).toBeNull();
});

test("a provider that cannot be reached is named, and nothing is said of an address that nobody typed", async () => {
  const error = { code: "model", message: "openai cannot be reached.", hint: "Check X", reason: "unreachable" };
  answers["PUT /api/models/providers/openai"] = () => Response.json({ error }, { status: 502 });
  await show();
  choose(place.querySelector("select"), "openai");
  await press("Show its models");
  const told = place.querySelector("[role=alert]")?.textContent ?? "";
  expect(told).toContain("OpenAI could not be reached from this server.");
  expect(told).not.toContain("address");
});

test("a key is sent over plain http only after saying so", async () => {
  const error = { code: "misuse", message: "", hint: "", reason: "plain_http" };
  const path = "/api/models/providers/models-example-org";
  answers[`PUT ${path}`] = (body) =>
    (body as { plain: boolean }).plain ? Response.json({ models: [] }) : Response.json({ error }, { status: 400 });
  await show();
  choose(place.querySelector("select"), " other");
  const url = place.querySelector<HTMLInputElement>("input[inputmode=url]");
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(url, "http://models.example.org");
    url?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await press("Show its models");
  await press("Send the key anyway");
  expect(sent("PUT", path).map((body) => (body as { plain: boolean }).plain)).toEqual([false, true]);
});

test("each result of a trial is said with what it means, and a model that does not answer is asked no more", async () => {
  answers["GET /api/models/setup"] = () => Response.json(withModel);
  const outcomes: Record<string, Partial<Trial>> = {
    streaming: { outcome: "works" },
    tools: { outcome: "missing" },
    judge: { outcome: "partly", right: 4, total: 6 },
  };
  answers["POST /api/models/try"] = (body) => {
    const { check, model } = body as { check: Trial["check"]; model: string };
    return Response.json({ model, check, detail: "", hint: "", seconds: 1, right: 0, total: 0, ...outcomes[check] });
  };
  await show();
  await press("Try");
  await act(() => vi.waitFor(() => expect(sent("POST", "/api/models/try")).toHaveLength(3)));
  await act(async () => {});
  const trial = place.querySelector(".model-trial");
  expect(trial?.textContent).toContain("answers appear while they are written");
  expect(trial?.textContent).toContain("Pincite searches first");
  expect(trial?.textContent).toContain("only 4 of 6 test sentences");

  asked.length = 0;
  const error = { code: "model", reason: "late", params: { model: "openai:gpt-5" }, message: "Too late.", hint: "" };
  outcomes.streaming = { outcome: "failed", detail: "Too late.", hint: "", error };
  await press("Try");
  await act(async () => {});
  expect(sent("POST", "/api/models/try")).toHaveLength(1);
  expect(place.querySelector(".model-trial")?.textContent).toContain("openai:gpt-5 did not answer in time.");
  await act(async () => chosenLanguage.set("fr"));
  expect(place.querySelector(".model-trial")?.textContent).toContain("openai:gpt-5 n’a pas répondu à temps.");
  expect(place.querySelector(".model-trial")?.textContent).not.toContain("Too late");
});

test("a key that cannot be read any more is told, with what to do", async () => {
  const locked = provider("openai", "OpenAI", { set_in: "page", has_key: false, is_locked: true });
  answers["GET /api/models/setup"] = () => Response.json({ ...withModel, providers: [locked] });
  await show();
  expect(place.querySelector("[role=alert]")?.textContent).toContain("The stored key of OpenAI cannot be read");
});

test("what the settings file sets is shown as such and has no field for a key", async () => {
  const fixed = provider("openai", "OpenAI", { set_in: "file", has_key: true });
  answers["GET /api/models/setup"] = () => Response.json({ ...empty, providers: [fixed] });
  answers["GET /api/models/providers/openai/models"] = () => Response.json({ models: ["openai:gpt-5"] });
  await show();
  choose(place.querySelector("select"), "openai");
  expect(place.textContent).toContain("Set by the server’s settings file.");
  expect(place.querySelector("input[type=password]")).toBeNull();
  await press("Show its models");
  expect(place.querySelector(".model-picker option")?.textContent).toBe("gpt-5");
});
