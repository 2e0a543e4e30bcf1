import { useMemo, useState } from "react";
import { type Problem, toProblem } from "../../api/problem";
import type { ProposedChanges as Proposal } from "../../api/types";
import { ErrorMessage } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { useTranslate } from "../../i18n";
import { useSelector } from "../../state/useSelector";
import type { Turn } from "../turns";
import { appliedStore, applyChanges, rejectChanges, undoChanges } from "./changeActions";
import { type ChangeOutcome, decideFile, findOutcome, listAcceptable } from "./changeOutcome";
import { type Diff, parseDiff } from "./diffLines";
import { FileChange } from "./FileChange";
import { LineCounts } from "./LineCounts";
import { RefusedEdits } from "./RefusedEdits";

/** The changes of a project's files that an answer proposes. Each file can be accepted or rejected. */
export function ProposedChanges({ turn }: { turn: Turn }) {
  const { changes, calls, results } = turn;
  const call = calls.find(({ tool }) => tool === "apply_changes")?.id ?? "";
  const diffs = useMemo(() => new Map(changes?.files.map(({ path, diff }) => [path, parseDiff(diff)])), [changes]);
  if (!changes || (!changes.files.length && !changes.refused.length)) return null;
  return <ChangeReview changes={changes} call={call} diffs={diffs} outcome={findOutcome(results, call)} />;
}

interface ChangeReviewProps {
  changes: Proposal;
  /** The id of the call that is answered with the decision; "" if there is none. */
  call: string;
  diffs: ReadonlyMap<string, Diff>;
  outcome: ChangeOutcome;
}

function ChangeReview({ changes, call, diffs, outcome }: ChangeReviewProps) {
  const t = useTranslate();
  const [rejected, setRejected] = useState<ReadonlySet<string>>(new Set());
  const { isBusy, problem, run } = useAction();
  const canUndo = useSelector(appliedStore, (applied) => call in applied);
  const acceptable = listAcceptable(changes);
  const accepted = acceptable.filter((path) => !rejected.has(path));
  const isOpen = outcome.state === "open" && call !== "" && changes.project !== "";
  const [added, removed] = sumLines(diffs);
  const decide = (path: string, isAccepted: boolean) =>
    setRejected((now) => new Set(isAccepted ? [...now].filter((each) => each !== path) : [...now, path]));
  return (
    <section className="changes" aria-label={t("changes.title")} data-state={outcome.state}>
      <h3>
        {t("changes.title")}
        <span className="soft">{t.count("changes.files", changes.files.length)}</span>
        <LineCounts added={added} removed={removed} />
      </h3>
      {changes.files.map((file) => (
        <FileChange
          key={file.path}
          file={file}
          project={changes.project}
          diff={diffs.get(file.path) ?? NO_DIFF}
          decision={decideFile(file.path, { outcome, isOpen, acceptable, rejected })}
          onDecide={isOpen && acceptable.length > 1 ? (isAccepted) => decide(file.path, isAccepted) : null}
        />
      ))}
      <RefusedEdits refused={changes.refused} />
      {problem && <ErrorMessage fault={problem} />}
      {isOpen && acceptable.length > 0 && (
        <div className="changes-actions">
          <button
            type="button"
            className="button main"
            disabled={isBusy || !accepted.length}
            onClick={() => run(() => applyChanges(changes, call, accepted))}
          >
            <Icon name="check" size={16} />
            {accepted.length === acceptable.length
              ? t.count("changes.applyAll", accepted.length)
              : t("changes.applySome", { n: accepted.length, total: acceptable.length })}
          </button>
          <button type="button" className="button" disabled={isBusy} onClick={() => run(() => rejectChanges(call))}>
            {t(acceptable.length > 1 ? "changes.rejectAll" : "changes.reject")}
          </button>
        </div>
      )}
      {outcome.state !== "open" && (
        <p className="changes-outcome" role="status">
          <Icon name={outcome.state === "applied" ? "check" : "cross"} size={16} />
          {outcome.state === "applied" && t.count("changes.applied", outcome.files.length)}
          {outcome.state === "rejected" && t("changes.rejected")}
          {outcome.state === "undone" && t("changes.undone")}
          {outcome.state === "applied" && canUndo && (
            <button
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() => run(() => undoChanges(changes.project, call, outcome.files))}
            >
              <Icon name="rotate" size={16} /> {t("changes.undo")}
            </button>
          )}
        </p>
      )}
      {outcome.state === "open" && !isOpen && acceptable.length > 0 && (
        <p className="soft small">{t("changes.elsewhere")}</p>
      )}
    </section>
  );
}

const NO_DIFF: Diff = { hunks: [], added: 0, removed: 0 };

function sumLines(diffs: ReadonlyMap<string, Diff>): [added: number, removed: number] {
  const all = [...diffs.values()];
  return [all.reduce((sum, each) => sum + each.added, 0), all.reduce((sum, each) => sum + each.removed, 0)];
}

/** Run one action at a time and keep its error. */
function useAction(): { isBusy: boolean; problem: Problem | null; run: (act: () => Promise<void>) => void } {
  const [state, set] = useState<{ isBusy: boolean; problem: Problem | null }>({ isBusy: false, problem: null });
  const run = (act: () => Promise<void>) => {
    set({ isBusy: true, problem: null });
    act().then(
      () => set({ isBusy: false, problem: null }),
      (error: unknown) => set({ isBusy: false, problem: toProblem(error) }),
    );
  };
  return { ...state, run };
}
