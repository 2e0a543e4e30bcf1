import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accountStore } from "../../src/account/accountStore";
import SignIn from "../../src/account/SignIn";
import { chosenLanguage } from "../../src/i18n";
import { makeInfo, makePerson } from "./fixtures";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  return fetched;
});

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  chosenLanguage.set("en");
  history.replaceState(null, "", "/sign-in?next=/library");
  accountStore.set((now) => ({ ...now, ...makeInfo(null), isKnown: true, notice: "", lastName: "" }));
  fetched.mockReset();
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  vi.useRealTimers();
});

const show = () => act(() => root.render(<SignIn />));
const field = (name: string) => place.querySelector<HTMLInputElement>(`input[name=${name}]`);
const button = () => place.querySelector<HTMLButtonElement>("button[type=submit]");
const refuse = (status: number, error: object) =>
  fetched.mockImplementation(async () => Response.json({ error }, { status }));

function type(name: string, text: string) {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field(name), text);
    field(name)?.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

async function send(name: string, password: string) {
  type("username", name);
  type("password", password);
  await act(async () => button()?.click());
}

test("who signs in goes back to where they were", async () => {
  show();
  fetched.mockImplementation(async () => Response.json(makeInfo(makePerson("a"))));
  await send(" ada ", "correct horse battery");
  expect(await fetched.mock.calls[0]?.[0].json()).toEqual({ name: "ada", password: "correct horse battery" });
  expect(location.pathname).toBe("/library");
});

test("a password manager knows the fields, and the first one has the focus", () => {
  show();
  expect(field("username")?.autocomplete).toBe("username");
  expect(field("password")?.autocomplete).toBe("current-password");
  expect(document.activeElement).toBe(field("username"));
});

test("what is missing is said at its field, and nothing is sent", async () => {
  show();
  await act(async () => button()?.click());
  expect(place.textContent).toContain("Type your name or your e-mail address.");
  expect(field("username")?.getAttribute("aria-invalid")).toBe("true");
  expect(fetched).not.toHaveBeenCalled();
});

test("after too many failures the button counts the seconds and works again afterwards", async () => {
  vi.useFakeTimers();
  show();
  refuse(429, { code: "too_many_attempts", message: "", hint: "", reason: "attempts", params: { seconds: 12 } });
  await send("ada", "wrong");
  expect(place.querySelector("[role=alert]")?.textContent).toContain("too many failed sign-ins");
  expect(button()?.textContent).toBe("Try again in 12 sec");
  expect(button()?.disabled).toBe(true);
  await act(async () => vi.advanceTimersByTimeAsync(7000));
  expect(button()?.textContent).toBe("Try again in 5 sec");
  await act(async () => vi.advanceTimersByTimeAsync(6000));
  expect(button()?.textContent).toBe("Sign in");
  expect(button()?.disabled).toBe(false);
});

test("a person whose session has ended needs to type the password alone", () => {
  accountStore.set((now) => ({ ...now, notice: "ended", lastName: "Ada Berg" }));
  show();
  expect(place.textContent).toContain("You were signed out. Nothing you wrote is lost.");
  expect(field("username")?.value).toBe("Ada Berg");
  expect(document.activeElement).toBe(field("password"));
});

test("guests and the company are offered only where the server has them", () => {
  show();
  expect(place.querySelectorAll("a, button[type=submit]")).toHaveLength(1);
  act(() => accountStore.set((now) => ({ ...now, guests: true, issuer: true })));
  expect(place.querySelector("a")?.getAttribute("href")).toBe("/api/account/openid?next=%2Flibrary");
  expect(place.textContent).toContain("Continue as a guest");
});

test.each([
  ["join", "There is no account for you on this server."],
  ["issuer", "The sign-in service of your organisation did not answer correctly."],
  ["<b>nonsense</b>", "The sign-in service of your organisation did not answer correctly."],
])("a return from the company with the error %s says why", (reason, words) => {
  history.replaceState(null, "", `/sign-in?error=${encodeURIComponent(reason)}`);
  show();
  expect(place.querySelector("[role=alert]")?.textContent).toContain(words);
  expect(place.textContent).not.toContain("nonsense");
});
