import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Drawn, drawn } from "./render";

const { asked, answers } = vi.hoisted(() => {
  const asked: [string, unknown][] = [];
  const answers: Record<string, () => Response> = {};
  vi.stubGlobal("fetch", async (request: Request) => {
    const name = `${request.method} ${new URL(request.url).pathname}`;
    const text = await request.text();
    asked.push([name, text && JSON.parse(text)]);
    return answers[name]?.() ?? Response.json({}, { status: 404 });
  });
  return { asked, answers };
});
const { accountStore } = await import("../../src/account/accountStore");
const { toastStore } = await import("../../src/components/toastStore");
const { FoundModel } = await import("../../src/conversation/FoundModel");
const { choicesStore } = await import("../../src/conversation/composer/modelChoices");
const { ModelSwitch } = await import("../../src/conversation/composer/ModelSwitch");
const { chosenLanguage } = await import("../../src/i18n");
const { DEFAULTS, preferencesStore } = await import("../../src/settings/preferences");

const LOCAL = "GET /api/models/local";
const none = { name: "extractive", title: "extractive", provider: "", is_default: true };
const llama = { name: "ollama:llama3.2", title: "llama3.2", provider: "Ollama", is_default: true };
const ollama = (...models: string[]) => ({
  provider: "ollama",
  title: "Ollama",
  address: "http://localhost:11434/v1",
  models: models.map((each) => `ollama:${each}`),
});
const ALL = accountStore.get();

const used = vi.fn();
let shown: Drawn;
const show = async () => {
  shown = drawn(
    <>
      <FoundModel onUsed={used} />
      <ModelSwitch />
    </>,
  );
  await act(async () => {});
};
const line = () => shown.page.querySelector(".beginning-model");
const openMenu = async () => {
  const menu = shown.page.querySelector("[role=menu]");
  await act(async () => {
    menu?.dispatchEvent(Object.assign(new Event("toggle"), { newState: "open" }));
  });
  await act(async () => {});
};
const press = async (words: string) => {
  const button = [...shown.page.querySelectorAll("button")].find((each) => each.textContent?.startsWith(words));
  await act(async () => button?.click());
  await act(async () => {});
};
const sent = (name: string) => asked.filter(([each]) => each === name).map(([, body]) => body);

beforeEach(() => {
  asked.length = 0;
  used.mockClear();
  chosenLanguage.set("en");
  preferencesStore.set(DEFAULTS);
  choicesStore.set(null);
  toastStore.set([]);
  answers["GET /api/models/choices"] = () => Response.json({ models: [none], strict: false });
  answers[LOCAL] = () => Response.json([ollama("llama3.2")]);
  answers["PUT /api/models/roles"] = () => {
    answers["GET /api/models/choices"] = () => Response.json({ models: [llama, none], strict: false });
    return Response.json({});
  };
});
afterEach(() => {
  shown.leave();
  accountStore.set(ALL);
});

test("the server on this machine is named with its model, and one press uses it", async () => {
  preferencesStore.set({ ...DEFAULTS, chatModel: "extractive" });
  await show();
  expect(line()?.textContent).toContain("Ollama is running: llama3.2");
  await press("Use it");
  expect(sent("PUT /api/models/roles")).toEqual([{ chat: "ollama:llama3.2" }]);
  expect(preferencesStore.get().chatModel).toBe("");
  expect(shown.page.querySelector(".model-switch")?.textContent).toBe("llama3.2");
  expect(line()).toBeNull();
  expect(used).toHaveBeenCalledOnce();
  expect(toastStore.get()[0]).toMatchObject({
    text: "The next question is answered by llama3.2.",
    action: { label: "Try" },
  });
});

test("of several models one is chosen before the press", async () => {
  answers[LOCAL] = () => Response.json([ollama("codellama", "llama3.2")]);
  await show();
  const select = line()?.querySelector("select") as HTMLSelectElement;
  act(() => {
    select.value = "ollama:llama3.2";
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await press("Use it");
  expect(sent("PUT /api/models/roles")).toEqual([{ chat: "ollama:llama3.2" }]);
});

test("a model that cannot be set is told where it was pressed, and in a message after the menu", async () => {
  const error = { code: "model", reason: "misnamed", message: "", hint: "", params: { model: "llama3.2" } };
  answers["PUT /api/models/roles"] = () => Response.json({ error }, { status: 400 });
  await show();
  await press("Use it");
  expect(line()?.querySelector("[role=alert]")?.textContent).toContain("llama3.2 is not the name of a model.");
  expect(used).not.toHaveBeenCalled();
  await openMenu();
  await press("llama3.2");
  expect(toastStore.get()[0]?.text).toContain("llama3.2 is not the name of a model.");
});

test("the servers are looked for once for the page and its menu, and again on the next visit", async () => {
  await show();
  await openMenu();
  expect(shown.page.querySelector("[role=menuitem]")?.textContent).toContain("llama3.2");
  expect(sent(LOCAL)).toHaveLength(1);
  shown.leave();
  await show();
  expect(sent(LOCAL)).toHaveLength(2);
});

test("beside an answer nothing is looked for before the menu opens, whose press uses the model", async () => {
  shown = drawn(<ModelSwitch />);
  await act(async () => {});
  expect(sent(LOCAL)).toHaveLength(0);
  await openMenu();
  expect(sent(LOCAL)).toHaveLength(1);
  await press("llama3.2");
  expect(sent("PUT /api/models/roles")).toEqual([{ chat: "ollama:llama3.2" }]);
});

test.each([
  ["a person who may not set models", () => accountStore.set({ ...ALL, scopes: ["read", "ask", "write"] })],
  [
    "a server that has a model",
    () => {
      const models = [{ ...llama, is_default: false }, none];
      answers["GET /api/models/choices"] = () => Response.json({ models, strict: false });
    },
  ],
])("%s causes no search for servers and sees no line", async (_, arrange) => {
  arrange();
  await show();
  await openMenu();
  expect(sent(LOCAL)).toHaveLength(0);
  expect(line()).toBeNull();
});

test.each([
  ["nothing", () => Response.json([])],
  ["a server without models", () => Response.json([ollama()])],
  ["an error", () => Response.json({}, { status: 500 })],
])("%s instead of models shows no line", async (_, answer) => {
  answers[LOCAL] = answer;
  await show();
  expect(sent(LOCAL)).toHaveLength(1);
  expect(line()).toBeNull();
});
