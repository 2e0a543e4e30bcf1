import { useCallback, useEffect, useMemo, useState } from "react";
import { type Numbered, titlePage } from "../pageNames";
import { useStore } from "../store";
import { type Say, useWords } from "../words";
import { useActs } from "./acts";
import { Find } from "./Find";
import type { Turn } from "./geometry";
import type { Entry } from "./headings";
import { boxesOf, useLit } from "./lighting";
import type { Lit } from "./marks";
import { usePdf } from "./opening";
import type { Drawn } from "./Page";
import { Pages } from "./Pages";
import { Panel } from "./Panel";
import { Prose } from "./Prose";
import { keyed } from "./pressing";
import type { ReaderProps } from "./Reader";
import { Snapshot } from "./Snapshot";
import type { Document, Sheet } from "./source";
import { Toolbar } from "./Toolbar";
import { aimed, type Target } from "./target";
import { zoom as kept, nextStep } from "./zoom";

const NONE: Lit[] = [];
const HEADING = 20; // characters of a heading that tell where it stands

/** A document that has been read: its pages or its text, with what is lit in it, under one toolbar. */
export function Shown({ document, sheets, reading, onChoose, onStep, onClose, onOther, lead }: ShownProps) {
  const say = useWords();
  const zoom = useStore(kept);
  const [scale, setScale] = useState(1);
  const [turn, setTurn] = useState<Turn>(0);
  const [page, setPage] = useState(reading.page ?? 1);
  const [isPanel, setPanel] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const [isText, setText] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const [found, setFound] = useState(NONE);
  const [target, setTarget] = useState<Target | null>(null);

  const isPdf = document.kind === "pdf" && sheets.length > 0;
  const isPicture = document.kind === "image" && sheets.length === 1;
  const { pdf, trouble } = usePdf(isPdf ? document.id : null);
  const isDrawn = (isPdf || isPicture) && !trouble && !isBroken && !isText;
  const drawn = useMemo<Drawn>(
    () => ({ pdf, picture: isPicture ? `/api/documents/${document.id}/file` : null }),
    [pdf, isPicture, document.id],
  );
  const lit = useLit(reading.document, reading.marks, reading.chosen, sheets.length > 0, found);

  const go = useCallback((to: Parameters<typeof aimed>[0]) => setTarget(aimed(to)), []);
  const broke = useCallback(() => setBroken(true), []);
  const goHeading = async ({ page, start }: Entry) => {
    const boxes = isDrawn && start !== null ? await boxesOf(document.id, { start, end: start + HEADING }) : [];
    go({ page, start, boxes });
  };
  const goPage = (number: number) => go({ page: number, start: sheets[number - 1]?.start ?? 0 });

  const chosen = lit.find((each) => each.isChosen && each.mark) ?? null;
  const isKnown = chosen === null || chosen.boxes.length > 0 || !isDrawn;
  const [start, boxes] = [chosen?.start ?? null, chosen?.boxes];
  const wished = chosen?.mark?.page ?? reading.page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: gone to at every wish, and when its place becomes known
  useEffect(() => {
    if (!chosen && wished === null) return;
    const from = sheets.find((sheet) => sheet.number === wished)?.start ?? null;
    setTarget((now) => aimed({ page: wished, start: start ?? from, ...(boxes && { boxes }) }, now !== null));
  }, [reading.turn, reading.chosen, isKnown, isDrawn]);

  const acts = useActs({
    document,
    chosen: chosen?.mark ?? null,
    page: sheets.length ? page : null,
    isText: isText && (isPdf || isPicture),
    canDraw: (isPdf || isPicture) && !trouble && !isBroken,
    onText: () => setText((now) => !now),
    onTurn: isDrawn ? () => setTurn((now) => ((now + 90) % 360) as Turn) : null,
  });
  const pressed = keyed({
    find: () => setFinding(true),
    dismiss: isFinding ? () => setFinding(false) : null,
    zoom: (by) => kept.set(by === 0 ? "width" : nextStep(scale, by)),
  });
  const place = reading.marks.findIndex((mark) => mark.key === reading.chosen) + 1;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that work wherever the focus is in the viewer
    <div className="reader" onKeyDown={pressed}>
      <Toolbar
        title={document.title || document.name}
        page={page}
        sheets={sheets}
        citation={onClose ? { place, count: reading.marks.length } : null}
        zoom={zoom}
        scale={scale}
        isPanel={isPanel}
        isFinding={isFinding}
        acts={acts}
        lead={lead?.(document.title || document.name)}
        onPage={goPage}
        onStep={onStep}
        onZoom={kept.set}
        onPanel={() => setPanel((now) => !now)}
        onFind={() => setFinding((now) => !now)}
        onClose={onClose}
      />
      {isFinding && (
        <Find document={document.id} page={page} onFound={setFound} onGo={go} onClose={() => setFinding(false)} />
      )}
      <Snapshot document={document} quote={chosen?.mark?.quote ?? ""} onOther={onOther} />
      {trouble && <p className="viewer-notice">{say(trouble === "locked" ? "viewer.locked" : "viewer.broken")}</p>}
      <div className="reader-body">
        {isPanel && (
          <Panel
            document={document.id}
            pdf={isDrawn ? pdf : null}
            sheets={sheets}
            page={page}
            onGo={goHeading}
            onPage={goPage}
          />
        )}
        {isDrawn ? (
          <Pages
            sheets={sheets}
            drawn={drawn}
            lit={lit}
            target={target}
            zoom={zoom}
            turn={turn}
            onPage={setPage}
            onScale={setScale}
            onZoom={kept.set}
            onChoose={onChoose}
            onBroken={broke}
          />
        ) : (
          <Prose
            document={document.id}
            kind={document.kind}
            lit={lit}
            target={target}
            zoom={zoom}
            sheets={sheets}
            onPage={setPage}
            onScale={setScale}
            onChoose={onChoose}
          />
        )}
      </div>
      <p className="hidden" aria-live="polite">
        {told(say, chosen, { page, label: sheets[page - 1]?.label ?? "" })}
      </p>
    </div>
  );
}

type ShownProps = ReaderProps & { document: Document; sheets: Sheet[] };

/** What is said to who listens, when a mark was chosen. */
function told(say: Say, chosen: Lit | null, shown: Numbered): string {
  if (!chosen?.mark) return "";
  const { n, page } = chosen.mark;
  if (n === null) return titlePage(say, page === null ? shown : chosen.mark);
  if (page === null) return say("viewer.citationOnly", { n });
  return say("viewer.pageCitation", { n, page: titlePage(say, chosen.mark) });
}
