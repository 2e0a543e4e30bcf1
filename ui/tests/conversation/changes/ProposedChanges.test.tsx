import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientCall, ClientResult, ProposedChanges as Proposal } from "../../../src/api/types";
import { EMPTY_CONVERSATION } from "../../../src/conversation/conversationState";
import type { Turn } from "../../../src/conversation/turns";
import { told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

const { sent, replies } = vi.hoisted(() => {
  const sent: [path: string, body: unknown][] = [];
  const replies = new Map<string, () => Response>();
  vi.stubGlobal("fetch", async (input: Request | string) => {
    const path = new URL(input instanceof Request ? input.url : input, "http://x").pathname;
    if (input instanceof Request && input.method === "POST") sent.push([path, JSON.parse(await input.text())]);
    const reply = replies.get(path);
    if (!reply) throw new TypeError(`Nothing answers ${path}`);
    return reply();
  });
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage() {}
      close() {}
    },
  );
  return { sent, replies };
});
const { ProposedChanges } = await import("../../../src/conversation/changes/ProposedChanges");
const { appliedStore } = await import("../../../src/conversation/changes/changeActions");
const { conversationStore } = await import("../../../src/conversation/conversationStore");
const { viewerStore } = await import("../../../src/viewer/viewerStore");

const diff = (old: string, now: string) => `--- a/x\n+++ b/x\n@@ -3 +3 @@ def f():\n-${old}\n+${now}\n`;
const CHANGES: Proposal = {
  id: "p1",
  project: "abc",
  files: [
    {
      path: "src/crane.py",
      action: "modify",
      renamed_from: "",
      diff: diff("tons = 9", "tons = 12"),
      before_sha256: "11",
    },
    { path: "quay.py", action: "create", renamed_from: "", diff: diff("", "oak"), before_sha256: "" },
  ],
  refused: [],
  reply: "",
};
const CALL: ClientCall = { id: "a1", tool: "apply_changes", arguments: {} };
const [APPLY, UNDO, RESULTS] = ["/api/projects/abc/apply", "/api/projects/abc/undo", "/api/conversations/c1/results"];

const NOTHING_MORE = { contents: [], screenshot: "" };

function turn(results: ClientResult[] = [], changes: Proposal = CHANGES): Turn {
  return { ...turnOf(told([["", "I changed two files."]])), changes, calls: [CALL], results };
}

function applied(files: string[]): ClientResult {
  return { call: "a1", tool: "apply_changes", status: "applied", message: "", files, images: [] };
}

let shown: Drawn;

function show(given: Turn): void {
  shown = drawn(<ProposedChanges turn={given} />);
}

function button(name: string, place = 0): HTMLButtonElement {
  const found = [...shown.page.querySelectorAll("button")].filter((each) => each.textContent?.trim() === name)[place];
  if (!found) throw new Error(`There is no button ${name} in ${shown.page.textContent}`);
  return found;
}

async function press(name: string, place = 0): Promise<void> {
  await act(async () => button(name, place).click());
}

beforeEach(() => {
  sent.length = 0;
  replies.clear();
  replies.set(APPLY, () => Response.json({ project: "abc", id: "j7", applied: true, files: [], refused: [] }));
  replies.set(UNDO, () => Response.json({ project: "abc", id: "j7", applied: true, files: [], refused: [] }));
  replies.set(RESULTS, () => Response.json({ conversation: "c1", seq: 30, message: null, after: 0 }));
  appliedStore.set({});
  conversationStore.set({ ...EMPTY_CONVERSATION, id: "c1" });
});

afterEach(() => shown.leave());

test("a changed line has its sign and its numbers, so that colour is not needed to read it", () => {
  show(turn());
  const rows = [...shown.page.querySelectorAll("article:first-of-type tbody tr[data-kind]")];
  expect(rows.map((row) => row.querySelector(".diff-sign")?.textContent)).toEqual(["−removed", "+added"]);
  expect(rows.map((row) => row.querySelector("code")?.textContent)).toEqual(["tons = 9", "tons = 12"]);
  const numbers = rows.map((row) =>
    [...row.querySelectorAll<HTMLElement>(".diff-number")].map((e) => e.dataset.number),
  );
  expect(numbers).toEqual([
    ["3", ""],
    ["", "3"],
  ]);
  expect(shown.page.textContent).toContain("def f():");
  expect(shown.page.textContent).toContain("new file");
});

test("only the accepted files are written, with the version that was shown, and the conversation is told", async () => {
  show(turn());
  await press("Reject", 1);
  await press("Apply to 1 of 2 files");
  const paths = ["src/crane.py"];
  expect(sent).toEqual([
    [APPLY, { changes: "p1", reply: "", paths, before_sha256: { "src/crane.py": "11" }, dry_run: false }],
    [RESULTS, { call: "a1", status: "applied", files: paths, message: "", ...NOTHING_MORE }],
  ]);
});

test("one press applies all, one rejects all", async () => {
  show(turn());
  await press("Apply to all 2 files");
  expect(sent[0]?.[1]).toMatchObject({ paths: ["src/crane.py", "quay.py"] });
  sent.length = 0;
  await press("Reject all");
  expect(sent).toEqual([[RESULTS, { call: "a1", status: "rejected", files: [], message: "", ...NOTHING_MORE }]]);
});

test("what was applied, here or elsewhere, says so and can be decided no more", () => {
  show(turn([applied(["quay.py"])]));
  expect(shown.page.querySelector("[role=status]")?.textContent).toContain("Applied to 1 file.");
  const told = [...shown.page.querySelectorAll(".file-decision")].map((each) => each.textContent?.trim());
  expect(told).toEqual(["left as it was", "applied"]);
  expect(shown.page.querySelector(".changes-actions, .file-choice")).toBeNull();
  // Another browser applied it: this one does not know how to undo it.
  expect(shown.page.textContent).not.toContain("Undo");
});

test("what this browser applied can be undone, and the conversation is told", async () => {
  appliedStore.set({ a1: "j7" });
  show(turn([applied(["quay.py"])]));
  await press("Undo");
  expect(sent.map(([path]) => path)).toEqual([UNDO, RESULTS]);
  expect(sent[0]?.[1]).toEqual({ change: "j7" });
  expect(sent[1]?.[1]).toMatchObject({ call: "a1", status: "rejected", files: ["quay.py"] });
  expect(appliedStore.get()).toEqual({});
});

test("a refusal says why, tells the model, and leaves the decision open", async () => {
  const error = { code: "misuse", message: "src/crane.py has changed.", hint: "Ask again.", reason: "file_changed" };
  replies.set(APPLY, () => Response.json({ error }, { status: 409 }));
  show(turn());
  await press("Apply to all 2 files");
  expect(shown.page.querySelector("[role=alert]")).not.toBeNull();
  expect(sent[1]).toEqual([
    RESULTS,
    { call: "a1", status: "failed", files: [], message: "src/crane.py has changed.", ...NOTHING_MORE },
  ]);
  expect(button("Apply to all 2 files").disabled).toBe(false);
});

test("an edit that does not fit says why and shows the nearest lines, and its file cannot be applied", async () => {
  const nearest = [{ number: 41, text: "tons = 8" }];
  const refused = {
    number: 2,
    path: "quay.py",
    reason: "strange",
    message: "It is not there.",
    hint: "Look.",
    nearest,
  };
  show(turn([], { ...CHANGES, refused: [{ ...refused, is_there_already: false }] }));
  const told = shown.page.querySelector(".refused-edits");
  expect(told?.textContent).toContain("quay.py It is not there. Look.");
  expect(told?.querySelector("pre code")?.getAttribute("data-number")).toBe("41");
  await press("Apply to 1 file");
  expect(sent[0]?.[1]).toMatchObject({ paths: ["src/crane.py"] });
});

test("a long diff is folded to its first lines", async () => {
  const added = Array.from({ length: 50 }, (_, at) => `+line ${at}`).join("\n");
  const long = { ...CHANGES.files[1], path: "long.py", diff: `@@ -0,0 +1,50 @@\n${added}\n` } as Proposal["files"][0];
  show(turn([], { ...CHANGES, files: [long] }));
  expect(shown.page.querySelectorAll("tr[data-kind]")).toHaveLength(24);
  await press("Show 26 more lines");
  expect(shown.page.querySelectorAll("tr[data-kind]")).toHaveLength(50);
});

test("a path opens the file of the project; a new file is nowhere yet", async () => {
  show(turn());
  await press("src/crane.py");
  expect(viewerStore.get()).toMatchObject({ file: { project: "abc", path: "src/crane.py" }, isOpen: true });
  expect(shown.page.querySelectorAll("button.file-path")).toHaveLength(1);
});

test("files that the asking program holds itself are not applied here", () => {
  show(turn([], { ...CHANGES, project: "" }));
  expect(shown.page.querySelector(".changes-actions")).toBeNull();
  expect(shown.page.textContent).toContain("applies the changes there");
});
