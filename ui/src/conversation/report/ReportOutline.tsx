import { Icon } from "../../components/Icon";
import { type MessageKey, type Translate, useTranslate } from "../../i18n";
import { describeActivity } from "../steps/SubagentStep";
import { getScrollBehavior } from "../thread/useFollowEnd";
import type { Turn } from "../turns";
import { listSections, listUnplannedSections, type ReportSection, type Stage } from "./reportSections";

const STAGES: Record<Stage, MessageKey> = {
  waiting: "conversation.outline.waiting",
  running: "conversation.outline.running",
  ready: "conversation.outline.ready",
  written: "conversation.outline.written",
  failed: "conversation.outline.failed",
};

/** The outline of a report: the progress of each section while it is written, then the table of contents. */
export function ReportOutline({ turn }: { turn: Turn }) {
  const t = useTranslate();
  if (!turn.outline.length) return null;
  const isRunning = turn.state === "running";
  // A section that was not found is missing from the report, but for the section that says so.
  const chapters = listSections(turn).filter(({ anchor }) => isRunning || anchor);
  const further = listUnplannedSections(turn);
  if (chapters.length + further.length < 2) return null;
  return (
    <nav className="outline" aria-label={t("conversation.outline")}>
      <h3 className="soft small">{t("conversation.outline")}</h3>
      <ol>
        {chapters.map((chapter, place) => (
          <li key={chapter.heading} data-stage={chapter.stage}>
            <SectionStatus stage={isRunning ? chapter.stage : null} place={place} />
            <span className="outline-heading">
              {chapter.anchor ? <SectionLink anchor={chapter.anchor} heading={chapter.heading} /> : chapter.heading}
            </span>
            {isRunning && <span className="outline-now">{describeProgress(chapter, turn, t)}</span>}
          </li>
        ))}
        {further.map(({ heading, anchor }, place) => (
          <li key={anchor} data-stage="written">
            <SectionStatus stage={isRunning ? "written" : null} place={chapters.length + place} />
            <span className="outline-heading">
              <SectionLink anchor={anchor} heading={heading} />
            </span>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function SectionLink({ anchor, heading }: { anchor: string; heading: string }) {
  return (
    <a
      href={`#${encodeURIComponent(anchor)}`}
      onClick={(event) => {
        const there = document.getElementById(anchor);
        if (!there) return;
        event.preventDefault();
        history.replaceState(history.state, "", `#${encodeURIComponent(anchor)}`);
        there.scrollIntoView({ block: "start", behavior: getScrollBehavior() });
        there.focus({ preventScroll: true });
      }}
    >
      {heading}
    </a>
  );
}

/** The progress of a section, or its number once all are done. Both have the same size. */
function SectionStatus({ stage, place }: { stage: Stage | null; place: number }) {
  const t = useTranslate();
  if (!stage) {
    return (
      <span className="outline-number" aria-hidden="true">
        {t("conversation.number", { n: place + 1 })}
      </span>
    );
  }
  if (stage === "running") return <span className="spinner" role="img" aria-label={t(STAGES.running)} />;
  return (
    <span className="step-status" data-is={ICONS[stage].is} role="img" aria-label={t(STAGES[stage])}>
      <Icon name={ICONS[stage].icon} size={16} />
    </span>
  );
}

/** The icons of the stages. */
const ICONS = {
  waiting: { icon: "minus", is: "waiting" },
  ready: { icon: "check", is: "waiting" },
  written: { icon: "check", is: "success" },
  failed: { icon: "cross", is: "error" },
} as const;

function describeProgress({ part, stage }: ReportSection, turn: Turn, t: Translate): string {
  return part && stage === "running" ? describeActivity(t, part, turn.evidence) : "";
}
