import type { KeyboardEvent } from "react";
import { expect, test, vi } from "vitest";
import { ACTIONS } from "../../src/app/KeyboardShortcuts";
import { KEY_NAMES, SHORTCUT_GROUPS } from "../../src/app/shortcutList";
import { handleViewerKeys } from "../../src/viewer/viewerKeys";

const listKeys = (title: string) =>
  SHORTCUT_GROUPS.filter((group) => group.title === title).flatMap(({ shortcuts }) =>
    shortcuts.flatMap(({ chords }) => chords.filter((chord) => chord.length === 1).flat()),
  );

/** Press a key in the viewer of a document with pages; return whether the viewer took it. */
function press(key: string, ctrlKey = false): boolean {
  const reader = document.createElement("div");
  reader.innerHTML = "<div data-scroller></div>";
  const preventDefault = vi.fn();
  const event = { key, ctrlKey, preventDefault, target: reader, currentTarget: reader };
  handleViewerKeys({ find: vi.fn(), dismiss: null, stepPage: vi.fn(), zoom: vi.fn() })(
    event as unknown as KeyboardEvent<HTMLElement>,
  );
  return preventDefault.mock.calls.length > 0;
}

test("no key of the page means something else in the source", () => {
  for (const key of Object.keys(ACTIONS)) expect([key, press(key)]).toEqual([key, false]);
});

test("the help lists each key of the page, and each key of the source does what it can", () => {
  const listed = SHORTCUT_GROUPS.flatMap(({ shortcuts }) => shortcuts.flatMap(({ chords }) => chords.flat()));
  for (const key of Object.keys(ACTIONS)) expect(listed).toContain(key);
  // The selection of words has a handler of its own.
  for (const key of listKeys("keys.inSource").filter((each) => each !== "s")) {
    expect([key, press(key)]).toEqual([key, true]);
  }
  expect(press("f", true)).toBe(true);
});

test("one key is listed once", () => {
  const chords = SHORTCUT_GROUPS.flatMap(({ shortcuts }) => shortcuts.flatMap((each) => each.chords)).map(String);
  expect(new Set(chords).size).toBe(chords.length);
  for (const key of Object.keys(KEY_NAMES)) expect(chords.join()).toContain(key);
});
