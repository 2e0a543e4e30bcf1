import { useId, useState } from "react";
import type { ChangedFile } from "../../api/types";
import { Icon, type IconName } from "../../components/Icon";
import { type MessageKey, useTranslate } from "../../i18n";
import { openFile } from "../../viewer/viewerStore";
import type { FileDecision } from "./changeOutcome";
import { DiffTable } from "./DiffTable";
import type { Diff } from "./diffLines";
import { LineCounts } from "./LineCounts";

/** Diffs with more lines than this are folded to their first lines. */
const LONG = 40;
const FIRST = 24;

/** What happens to a file, if more than its text changes. */
const ACTIONS: Record<ChangedFile["action"], MessageKey | null> = {
  modify: null,
  create: "changes.create",
  delete: "changes.delete",
  rename: "changes.rename",
};
/** What was decided, where no buttons show it. */
const DECISIONS: Partial<Record<FileDecision, { icon: IconName; text: MessageKey }>> = {
  applied: { icon: "check", text: "changes.file.applied" },
  left: { icon: "cross", text: "changes.file.left" },
  refused: { icon: "bad", text: "changes.file.refused" },
};

interface FileChangeProps {
  file: ChangedFile;
  project: string;
  diff: Diff;
  decision: FileDecision | null;
  /** Accepts or rejects the file; null where that is not to be decided for it alone. */
  onDecide: ((isAccepted: boolean) => void) | null;
}

/** A changed file: its path, what happens to it, its diff, and buttons to accept or reject it. */
export function FileChange({ file, project, diff, decision, onDecide }: FileChangeProps) {
  const t = useTranslate();
  const id = useId();
  const [isOpen, setOpen] = useState(true);
  const action = ACTIONS[file.action];
  const outcome = decision && DECISIONS[decision];
  const isRejected = decision === "rejected" || decision === "left";
  return (
    <article className="file-change" data-decision={decision ?? undefined} aria-labelledby={id}>
      <header>
        <button
          type="button"
          className="icon-button file-fold"
          aria-expanded={isOpen}
          aria-label={t("changes.fold", { path: file.path })}
          title={t("changes.fold", { path: file.path })}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="forward" size={14} />
        </button>
        <h4 id={id}>
          {project && file.action !== "create" ? (
            <button
              type="button"
              className="file-path"
              onClick={() => openFile(project, file.renamed_from || file.path)}
            >
              {file.path}
            </button>
          ) : (
            <span className="file-path">{file.path}</span>
          )}
        </h4>
        {action && <span className="badge">{t(action, { path: file.renamed_from })}</span>}
        <LineCounts added={diff.added} removed={diff.removed} />
        {outcome && (
          <span className="file-decision">
            <Icon name={outcome.icon} size={14} /> {t(outcome.text)}
          </span>
        )}
        {onDecide && decision !== "refused" && (
          <span className="file-choice">
            <button type="button" aria-pressed={!isRejected} onClick={() => onDecide(true)}>
              {t("changes.accept")}
            </button>
            <button type="button" aria-pressed={isRejected} onClick={() => onDecide(false)}>
              {t("changes.reject")}
            </button>
          </span>
        )}
      </header>
      {isOpen && <FoldedDiff diff={diff} path={file.path} />}
    </article>
  );
}

/** A diff, of which only the first lines are shown if it is long. */
function FoldedDiff({ diff, path }: { diff: Diff; path: string }) {
  const t = useTranslate();
  const [isWhole, setWhole] = useState(false);
  const count = diff.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const isLong = count > LONG;
  if (!count) return null;
  return (
    <>
      <DiffTable diff={diff} path={path} most={isLong && !isWhole ? FIRST : count} />
      {isLong && (
        <button
          type="button"
          className="plain-button diff-more"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t("changes.lines.fewer") : t.count("changes.lines.more", count - FIRST)}
        </button>
      )}
    </>
  );
}
