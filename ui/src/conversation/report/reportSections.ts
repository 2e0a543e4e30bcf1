/** The sections of a report and their progress. */
import type { Subagent, Turn } from "../turns";

export type Stage = "waiting" | "running" | "ready" | "written" | "failed";

export interface ReportSection {
  heading: string;
  /** The anchor of its heading in the answer, once it is written. */
  anchor: string | null;
  stage: Stage;
  part: Subagent | null;
}

/** The name of the subagent that writes one section. */
export const SECTION_WRITER = "section_writer";
const HEADING = /^##?[ \t]+(.+?)[ \t#]*$/gm;
const FENCED = /^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))/gm;

/** Make the anchor of a heading in an answer. */
export function makeAnchor(turn: string, heading: string): string {
  const words = heading.normalize("NFKC").toLowerCase();
  return `${turn}.${words.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")}`;
}

/** List the sections of the outline with their progress. */
export function listSections(turn: Turn): ReportSection[] {
  const headings = findHeadings(turn.text);
  const parts = turn.steps.filter((step) => step.kind === "subagent").filter((step) => step.name === SECTION_WRITER);
  return turn.outline.map((section) => {
    const anchor = makeAnchor(turn.id, section.heading);
    const part = parts.find((each) => each.task === section.question) ?? null;
    const isThere = headings.has(makeAnchor("", section.heading));
    return { heading: section.heading, anchor: isThere ? anchor : null, stage: getStage(isThere, part, turn), part };
  });
}

/** List the headings of a report that were not in its outline: what is disputed, what was not found. */
export function listUnplannedSections(turn: Turn): { heading: string; anchor: string }[] {
  const known = new Set(turn.outline.map(({ heading }) => makeAnchor("", heading)));
  return [...findHeadings(turn.text)]
    .filter(([key]) => !known.has(key))
    .map(([, heading]) => ({ heading, anchor: makeAnchor(turn.id, heading) }));
}

function findHeadings(text: string): Map<string, string> {
  const found = [...text.replace(FENCED, "").matchAll(HEADING)].map(([, heading = ""]) =>
    heading.replace(/(?: \[\d+\])+$/, ""),
  );
  return new Map(found.map((heading) => [makeAnchor("", heading), heading]));
}

function getStage(isThere: boolean, part: Subagent | null, { state }: Turn): Stage {
  if (isThere) return "written";
  if (part?.status === "error") return "failed";
  if (state !== "running") return "failed";
  return part ? (part.status === "running" ? "running" : "ready") : "waiting";
}
