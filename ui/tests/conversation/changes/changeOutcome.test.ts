import { expect, test } from "vitest";
import type { ClientResult, RefusedEdit } from "../../../src/api/types";
import { decideFile, findOutcome, listAcceptable } from "../../../src/conversation/changes/changeOutcome";

function result(status: ClientResult["status"], files: string[] = [], call = "a1"): ClientResult {
  return { call, tool: "apply_changes", status, message: "", files, images: [] };
}

test("changes are open until somebody decides, and a failed attempt leaves them open", () => {
  expect(findOutcome([], "a1").state).toBe("open");
  expect(findOutcome([result("failed")], "a1").state).toBe("open");
  expect(findOutcome([result("applied", ["x"], "other")], "a1").state).toBe("open");
});

test("the last result counts, and what is taken back was undone", () => {
  expect(findOutcome([result("failed"), result("applied", ["x"])], "a1")).toEqual({ state: "applied", files: ["x"] });
  expect(findOutcome([result("rejected")], "a1")).toEqual({ state: "rejected", files: [] });
  const undone = [result("applied", ["x"]), result("rejected")];
  expect(findOutcome(undone, "a1")).toEqual({ state: "undone", files: ["x"] });
  expect(findOutcome([...undone, result("applied", ["y"])], "a1")).toEqual({ state: "applied", files: ["y"] });
});

const file = (path: string, renamed_from = "") =>
  ({ path, action: "modify", renamed_from, diff: "", before_sha256: "" }) as const;
const refusal = (path: string): RefusedEdit => ({
  number: 1,
  path,
  reason: "not_found",
  message: "",
  hint: "",
  nearest: [],
  is_there_already: false,
});

test("a file with an edit that does not fit cannot be accepted, under its old name or its new one", () => {
  const files = [file("a"), file("b"), file("new", "old")];
  expect(listAcceptable({ files, refused: [] })).toEqual(["a", "b", "new"]);
  expect(listAcceptable({ files, refused: [refusal("b"), refusal("old")] })).toEqual(["a"]);
});

test("each file says what is or was decided about it", () => {
  const review = { outcome: { state: "open", files: [] as string[] }, isOpen: true, acceptable: ["a", "b"] } as const;
  const rejected = new Set(["b"]);
  expect(["a", "b", "c"].map((path) => decideFile(path, { ...review, rejected }))).toEqual([
    "accepted",
    "rejected",
    "refused",
  ]);
  const over = {
    outcome: { state: "applied", files: ["a"] },
    isOpen: false,
    acceptable: ["a", "b"],
    rejected,
  } as const;
  const decided = (state: "applied" | "rejected") =>
    ["a", "b"].map((path) => decideFile(path, { ...over, outcome: { state, files: ["a"] } }));
  expect(decided("applied")).toEqual(["applied", "left"]);
  expect(decided("rejected")).toEqual([null, null]);
});
