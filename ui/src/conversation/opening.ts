/** The desk follows the conversation: its marks lie there, and an answer opens what it cites unless the reader closed it. */
import { useEffect } from "react";
import { choose, clear, desk, lay, type Mark, open } from "../desk";
import { isMarkOf, marksOf } from "./marks";
import { motion } from "./scrolling";
import { hear, isRunning, talking } from "./talking";
import type { Turn } from "./turns";

const WIDE = 1100;

let laidFor: string | null = null;
let wasClosed = false;
let isOwn = false;
const opened = new Set<string>();

/** Keep the desk as the conversation on the page wants it. */
export function useDesk(): void {
  useEffect(() => {
    let before = desk.get();
    const stops = [
      talking.subscribe(follow),
      hear((event, isLive) => {
        if (!isLive) return;
        if (event.type === "citation") openFirst(event.messageId);
        if (event.type === "navigate" && event.data.document) open(event.data.document, event.data.page);
      }),
      desk.subscribe(() => {
        const now = desk.get();
        if (!isOwn) {
          if (before.isOpen && !now.isOpen) wasClosed = true;
          if (now.chosen && now.turn !== before.turn) reveal(now.chosen);
        }
        before = now;
      }),
    ];
    follow();
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}

function follow(): void {
  const now = talking.get();
  const { turns } = now.talk;
  if (now.id !== laidFor) {
    // A question asked on an empty page gets its conversation's id on the way: that is no other conversation.
    if (!(laidFor === null && turns.length === 0 && now.pending !== null)) start();
    laidFor = now.id;
  }
  const { marks: there, chosen } = desk.get();
  const laid = turns.flatMap(marksOf);
  const isOf = ({ key }: Mark) => key === chosen && turns.some((turn) => isMarkOf(key, turn.id));
  // What came nearest, and a passage that is shown on demand, stays while it is looked at.
  const looked = there.filter((mark) => isOf(mark) && !laid.some(({ key }) => key === mark.key));
  const marks = [...laid, ...looked];
  if (marks.length !== there.length || marks.some((mark, place) => mark !== there[place])) lay(marks);
  const last = turns.at(-1);
  if (last && now.line === "idle" && !isRunning(now) && !opened.size) openTurn(last);
}

function start(): void {
  byItself(clear);
  wasClosed = false;
  opened.clear();
}

function openFirst(message: string): void {
  const turn = talking.get().talk.turns.find((each) => each.id === message);
  if (turn?.citations.length) openTurn(turn);
}

/** Open the first citation of an answer, once. */
function openTurn(turn: Turn): void {
  if (opened.has(turn.id)) return;
  opened.add(turn.id);
  const mark = marksOf(turn)[0];
  if (mark && mark.n !== null && !wasClosed && innerWidth >= WIDE) byItself(() => choose(mark));
}

/** Change the desk without the reader having wished it. */
function byItself(change: () => void): void {
  isOwn = true;
  change();
  isOwn = false;
}

/** Bring the chip of the mark that the reader went to into view, if none of its chips is there. */
function reveal(key: string): void {
  const chips = [...document.querySelectorAll(`.chip[data-mark="${CSS.escape(key)}"]`)];
  const view = chips[0]?.closest(".talk")?.getBoundingClientRect();
  if (!view || chips.some((chip) => isWithin(chip.getBoundingClientRect(), view))) return;
  chips[0]?.scrollIntoView({ block: "center", behavior: motion() });
}

function isWithin(chip: DOMRect, view: DOMRect): boolean {
  return chip.top >= view.top && chip.bottom <= view.bottom;
}
