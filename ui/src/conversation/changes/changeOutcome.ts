/** What became of the changes that an answer proposes, told by the results of its call. */
import type { ClientResult, ProposedChanges } from "../../api/types";

/** `open` until somebody decides; a failed attempt leaves it open. `files` are the paths that were changed. */
export interface ChangeOutcome {
  state: "open" | "applied" | "rejected" | "undone";
  files: string[];
}

/** Return the outcome of a call. The last result counts; a rejection after they were applied is an undo. */
export function findOutcome(results: readonly ClientResult[], call: string): ChangeOutcome {
  let outcome: ChangeOutcome = { state: "open", files: [] };
  for (const { call: answered, status, files } of results) {
    if (answered !== call) continue;
    if (status === "applied") outcome = { state: "applied", files };
    if (status === "rejected") {
      const wasApplied = outcome.state === "applied" || outcome.state === "undone";
      outcome = { state: wasApplied ? "undone" : "rejected", files: wasApplied ? outcome.files : [] };
    }
  }
  return outcome;
}

/** List the paths that can be applied: a file with an edit that does not fit is left as it is. */
export function listAcceptable({ files, refused }: Pick<ProposedChanges, "files" | "refused">): string[] {
  const broken = new Set(refused.map(({ path }) => path));
  return files
    .filter(({ path, renamed_from }) => !broken.has(path) && !broken.has(renamed_from))
    .map(({ path }) => path);
}

export type FileDecision = "accepted" | "rejected" | "applied" | "left" | "refused";

interface Review {
  outcome: ChangeOutcome;
  /** Whether it can be decided now. */
  isOpen: boolean;
  acceptable: readonly string[];
  rejected: ReadonlySet<string>;
}

/** Return what is, or was, decided about a file; null where there is nothing to tell. */
export function decideFile(path: string, { outcome, isOpen, acceptable, rejected }: Review): FileDecision | null {
  if (!acceptable.includes(path)) return "refused";
  if (isOpen) return rejected.has(path) ? "rejected" : "accepted";
  if (outcome.state === "applied") return outcome.files.includes(path) ? "applied" : "left";
  return null;
}
