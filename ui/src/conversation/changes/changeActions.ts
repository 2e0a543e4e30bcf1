/** Apply, reject and undo the changes that an answer proposes, and report it to the conversation. */
import { server, unwrap } from "../../api/client";
import { toProblem } from "../../api/problem";
import type { ProposedChanges } from "../../api/types";
import { fileVersionStore } from "../../projects/projectsStore";
import { createPersonalStore } from "../../state/persistentStore";
import { conversationStore } from "../conversationStore";

/** What this browser has applied: the id that undoes it, by the id of the call. All its tabs know it. */
export const appliedStore = createPersonalStore<Record<string, string>>("applied", {});

const MOST_REMEMBERED = 200;

/** Write the changes of these files to the project, all or none. */
export async function applyChanges(changes: ProposedChanges, call: string, paths: string[]): Promise<void> {
  const { id, project, files } = changes;
  const before = files.filter(({ path, before_sha256 }) => paths.includes(path) && before_sha256);
  const hashes = before.map(({ path, renamed_from, before_sha256 }) => [renamed_from || path, before_sha256]);
  try {
    const applied = unwrap(
      await server.POST("/api/projects/{project}/apply", {
        params: { path: { project } },
        body: { changes: id, reply: "", paths, before_sha256: Object.fromEntries(hashes), dry_run: false },
      }),
    );
    rememberChange(call, applied.id);
    fileVersionStore.set((now) => now + 1);
  } catch (error) {
    const problem = toProblem(error);
    // The model reads why with the next question. Without a server there is nobody to tell.
    if (problem.status) await report(call, "failed", [], problem.message).catch(() => undefined);
    throw problem;
  }
  await report(call, "applied", paths);
}

/** Change nothing. */
export function rejectChanges(call: string): Promise<void> {
  return report(call, "rejected", []);
}

/** Take back what was applied. */
export async function undoChanges(project: string, call: string, paths: string[]): Promise<void> {
  const change = appliedStore.get()[call];
  if (!change) return;
  await server.POST("/api/projects/{project}/undo", { params: { path: { project } }, body: { change } });
  rememberChange(call, "");
  fileVersionStore.set((now) => now + 1);
  await report(call, "rejected", paths, UNDONE);
}

/** The message for the model when applied changes were taken back. */
const UNDONE = "The user undid the applied changes. The files are as they were before.";

function rememberChange(call: string, change: string): void {
  appliedStore.set((now) => {
    const { [call]: _, ...others } = now;
    const kept = Object.entries(others).slice(-MOST_REMEMBERED);
    return Object.fromEntries(change ? [...kept, [call, change]] : kept);
  });
}

function report(call: string, status: "applied" | "rejected" | "failed", files: string[], message = ""): Promise<void> {
  return conversationStore.report({ call, status, files, message });
}
