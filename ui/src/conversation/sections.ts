/** The parts of a report, and how far each is. */
import type { Subagent, Turn } from "./turns";

export type Stage = "waiting" | "running" | "ready" | "written" | "failed";

export interface Chapter {
  heading: string;
  /** Where it stands in the answer, once it does. */
  anchor: string | null;
  stage: Stage;
  part: Subagent | null;
}

/** Who looks up and writes one part. */
export const WRITER = "section_writer";
const HEADING = /^##?[ \t]+(.+?)[ \t#]*$/gm;
const FENCED = /^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))/gm;

/** The address within the page of a heading of an answer. */
export function anchorOf(turn: string, heading: string): string {
  const words = heading.normalize("NFKC").toLowerCase();
  return `${turn}.${words.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")}`;
}

/** The outline of a turn's report with what has become of each part. */
export function chaptersOf(turn: Turn): Chapter[] {
  const headings = headingsOf(turn.text);
  const parts = turn.steps.filter((step) => step.is === "subagent").filter((step) => step.name === WRITER);
  return turn.outline.map((section) => {
    const anchor = anchorOf(turn.id, section.heading);
    const part = parts.find((each) => each.task === section.question) ?? null;
    const isThere = headings.has(anchorOf("", section.heading));
    return { heading: section.heading, anchor: isThere ? anchor : null, stage: stageOf(isThere, part, turn), part };
  });
}

/** The headings of a report that were not in its outline: what is disputed, what was not found. */
export function furtherOf(turn: Turn): { heading: string; anchor: string }[] {
  const known = new Set(turn.outline.map(({ heading }) => anchorOf("", heading)));
  return [...headingsOf(turn.text)]
    .filter(([key]) => !known.has(key))
    .map(([, heading]) => ({ heading, anchor: anchorOf(turn.id, heading) }));
}

function headingsOf(text: string): Map<string, string> {
  const found = [...text.replace(FENCED, "").matchAll(HEADING)].map(([, heading = ""]) =>
    heading.replace(/(?: \[\d+\])+$/, ""),
  );
  return new Map(found.map((heading) => [anchorOf("", heading), heading]));
}

function stageOf(isThere: boolean, part: Subagent | null, { state }: Turn): Stage {
  if (isThere) return "written";
  if (part?.status === "error") return "failed";
  if (state !== "running") return "failed";
  return part ? (part.status === "running" ? "running" : "ready") : "waiting";
}
