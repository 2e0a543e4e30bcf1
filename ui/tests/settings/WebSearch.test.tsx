import { act, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chosenLanguage } from "../../src/i18n";
import type { ServerSettings } from "../../src/settings/settingsApi";
import { WebSearch } from "../../src/settings/WebSearch";

const { asked, answers } = vi.hoisted(() => {
  const asked: [string, string, unknown][] = [];
  const answers: Record<string, unknown> = {};
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push([request.method, pathname, await request.json()]);
    return Response.json(answers[pathname]);
  });
  return { asked, answers };
});

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  chosenLanguage.set("en");
  asked.length = 0;
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

const at = (search_url: string, search_url_from: "page" | "file" | "") =>
  ({ search_url, search_url_from }) as ServerSettings;

function Room({ first }: { first: ServerSettings }) {
  const [value, set] = useState<ServerSettings | null>(first);
  return <WebSearch loaded={{ value, problem: null, retry: () => undefined, set }} />;
}

const show = (first: ServerSettings) => act(() => root.render(<Room first={first} />));
const button = (name: string) => [...place.querySelectorAll("button")].find((each) => each.textContent === name);
const press = (name: string) => act(async () => button(name)?.click());

function type(text: string) {
  const field = place.querySelector("input");
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

test("an address is tried as it stands in the field, before it is saved", async () => {
  answers["/api/settings/search/test"] = { ok: true, detail: "", hint: "", results: 12 };
  show(at("", ""));
  expect(button("Save")?.disabled).toBe(true);
  type("http://localhost:8080");
  await press("Test");
  expect(asked).toEqual([["POST", "/api/settings/search/test", { url: "http://localhost:8080" }]]);
  expect(place.textContent).toContain("It works: 12 results");
});

test("a trial that failed says what to do, and is forgotten when the address changes", async () => {
  answers["/api/settings/search/test"] = {
    ok: false,
    detail: "JSON is off.",
    hint: "Add json to formats.",
    results: 0,
  };
  show(at("http://a.example", "file"));
  await press("Test");
  expect(place.textContent).toContain("JSON is off. Add json to formats.");
  type("http://b.example");
  expect(place.textContent).not.toContain("JSON is off.");
});

test("a saved address says where it comes from, and can be forgotten", async () => {
  show(at("http://file.example", "file"));
  expect(place.textContent).toContain("settings file");
  answers["/api/settings"] = at("http://mine.example", "page");
  type("http://mine.example");
  await press("Save");
  expect(place.textContent).toContain("Saved from this page.");
  answers["/api/settings"] = at("http://file.example", "file");
  await press("Remove it");
  expect(asked.map(([, , body]) => body)).toEqual([{ search_url: "http://mine.example" }, { search_url: "" }]);
  expect(place.querySelector("input")?.value).toBe("http://file.example");
});
