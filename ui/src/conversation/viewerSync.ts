/**
 * Keep the viewer in step with the conversation: show its marks, and open what a new answer leads to, or else its first
 * citation. An answer that another tab asked for opens nothing here.
 */
import { useEffect } from "react";
import type { WireEvent } from "../api/types";
import { MIN_WIDTH_FOR_BOTH, notebookPanel } from "../notebook/notebookStore";
import type { Store } from "../state/store";
import {
  clearViewer,
  FOUND_MARK,
  type Mark,
  openDocument,
  openMark,
  setMarks,
  type ViewerState,
  viewerStore,
} from "../viewer/viewerStore";
import { traceViewer } from "../viewer/viewerTrace";
import { isHighlightMark, isMarkOf, listMarks } from "./citations/citationMarks";
import { type ConversationState, isRunning } from "./conversationState";
import { conversationStore } from "./conversationStore";
import type { EventStream } from "./eventStream";
import { getScrollBehavior } from "./thread/useFollowEnd";
import type { Turn } from "./turns";

/** The narrowest window, in pixels, in which a source opens by itself. */
const MIN_WIDTH = 1100;

type NavigateData = Extract<WireEvent, { type: "navigate" }>["data"];
type HighlightData = Extract<WireEvent, { type: "highlight" }>["data"];
type Conversation = Pick<Store<ConversationState>, "get" | "subscribe"> & Pick<EventStream, "onEvent">;

/** Create the link between a conversation and the viewer. `start` begins it and returns how to stop. */
export function createViewerSync(conversation: Conversation): { start: () => () => void } {
  let current: string | null = null;
  let wasClosedByReader = false;
  let isOwnChange = false;
  const openedTurns = new Set<string>();

  /** Change the viewer without taking it for an action of the reader. */
  const changeViewer = (change: () => void) => {
    isOwnChange = true;
    change();
    isOwnChange = false;
  };

  const reset = () => {
    changeViewer(clearViewer);
    wasClosedByReader = false;
    openedTurns.clear();
  };

  /** Return whether a source may open by itself: there is room beside the answer, and the reader has not closed it. */
  const mayOpen = () => {
    const width = notebookPanel.get() ? MIN_WIDTH_FOR_BOTH : MIN_WIDTH;
    return !wasClosedByReader && innerWidth >= width;
  };

  /** Open the page or the highlight that an answer leads to, or else its first citation, once. */
  const openTurn = (turn: Turn) => {
    if (openedTurns.has(turn.id)) return;
    openedTurns.add(turn.id);
    if (!mayOpen()) return;
    const { destination } = turn;
    if (destination) return changeViewer(() => openDocument(destination.document, destination.page));
    const marks = listMarks(turn);
    const mark = marks.findLast((each) => isHighlightMark(each) && each.tone === "high") ?? marks[0];
    if (mark && (mark.n !== null || mark.tone === "high")) changeViewer(() => openMark(mark));
  };

  /**
   * Open the page or the highlight that an answer leads to. It wins over the first citation. A source that is open
   * goes there wherever it is; a closed one opens only where one may open by itself.
   */
  const obeyCommand = (message: string, place: string, open: () => void) => {
    openedTurns.add(message);
    if (!viewerStore.get().isOpen && !mayOpen())
      return traceViewer("container", `stays closed, and does not open ${place}`);
    traceViewer("container", `opens ${place}`);
    changeViewer(open);
  };

  const navigate = (message: string, { document, page }: NavigateData) => {
    traceViewer("parser", `Navigate match: page ${page}`, document);
    if (!document) return traceViewer("container", "not opened: the command names no document");
    obeyCommand(message, `page ${page}`, () => openDocument(document, page));
  };

  const highlight = (message: string, { importance, boxes }: HighlightData) => {
    traceViewer("parser", `Highlight match: ${importance}`, boxes);
    const turn = conversation.get().thread.turns.find((each) => each.id === message);
    const mark = turn && listMarks(turn).findLast(isHighlightMark);
    if (!mark) return traceViewer("container", "not lit: the command names no document");
    if (importance !== "high") return traceViewer("container", `lights ${mark.key}, and stays where it is`);
    obeyCommand(message, mark.key, () => openMark(mark));
  };

  const openFirstCitation = (message: string) => {
    const turn = conversation.get().thread.turns.find((each) => each.id === message);
    if (turn?.citations.length) openTurn(turn);
  };

  const update = () => {
    const now = conversation.get();
    const { turns } = now.thread;
    if (now.id !== current) {
      // The first question gives an empty page its conversation's id. That is not another conversation.
      if (!(current === null && turns.length === 0 && now.pending !== null)) reset();
      current = now.id;
    }
    const { marks: shown, chosenKey } = viewerStore.get();
    const own = turns.flatMap(listMarks);
    const isKept = (key: string) => key.startsWith(FOUND_MARK) || turns.some((turn) => isMarkOf(key, turn.id));
    const isChosen = ({ key }: Mark) => key === chosenKey && isKept(key);
    // A nearest passage, one shown on demand, or one found by a search has a mark only while it is chosen.
    const extra = shown.filter((mark) => isChosen(mark) && !own.some(({ key }) => key === mark.key));
    const marks = [...own, ...extra];
    if (marks.length !== shown.length || marks.some((mark, place) => mark !== shown[place])) setMarks(marks);
    const last = turns.at(-1);
    const isFirst = !openedTurns.size && !now.isAskedElsewhere;
    if (last && now.connection === "idle" && !isRunning(now) && isFirst) openTurn(last);
  };

  /** Notice when the reader closes the viewer or chooses a mark. */
  const watchReader = (before: ViewerState, now: ViewerState) => {
    if (isOwnChange) return;
    if (before.isOpen !== now.isOpen) wasClosedByReader = !now.isOpen;
    if (now.chosenKey && now.request !== before.request) revealChip(now.chosenKey);
  };

  return {
    start() {
      let before = viewerStore.get();
      const stops = [
        conversation.subscribe(update),
        conversation.onEvent((event, isLive) => {
          if (!isLive || conversation.get().isAskedElsewhere) return;
          if (event.type === "citation") openFirstCitation(event.messageId);
          if (event.type === "navigate") navigate(event.messageId, event.data);
          if (event.type === "highlight") highlight(event.messageId, event.data);
        }),
        viewerStore.subscribe(() => {
          const now = viewerStore.get();
          watchReader(before, now);
          before = now;
        }),
      ];
      update();
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

const viewerSync = createViewerSync(conversationStore);

/** Keep the viewer in step with the open conversation while the component is mounted. */
export function useViewerSync(): void {
  useEffect(() => viewerSync.start(), []);
}

/** Scroll to the chip of the mark that the reader went to, unless one of its chips is in view. */
function revealChip(key: string): void {
  const chips = [...document.querySelectorAll(`.chip[data-mark="${CSS.escape(key)}"]`)];
  const view = chips[0]?.closest(".talk")?.getBoundingClientRect();
  if (!view || chips.some((chip) => isWithin(chip.getBoundingClientRect(), view))) return;
  chips[0]?.scrollIntoView({ block: "center", behavior: getScrollBehavior() });
}

function isWithin(chip: DOMRect, view: DOMRect): boolean {
  return chip.top >= view.top && chip.bottom <= view.bottom;
}
