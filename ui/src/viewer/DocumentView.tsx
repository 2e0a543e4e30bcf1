import { useCallback, useEffect, useMemo, useState } from "react";
import type { PageBoxes } from "../api/types";
import { type Translate, useTranslate } from "../i18n";
import { FileTree } from "../projects/FileTree";
import { findProjectPath } from "../projects/projectPath";
import { treeOpenStore } from "../projects/projectsStore";
import { useStore } from "../state/store";
import { nameLines } from "../text/lineNames";
import { getNumberedPage, type NumberedPage, titlePage } from "../text/pageNames";
import { CodeDocument } from "./CodeDocument";
import type { DocumentReaderProps } from "./DocumentReader";
import { darkPagesStore } from "./darkPages";
import { FindBar } from "./FindBar";
import { HighlightLegend } from "./HighlightLegend";
import type { Highlight } from "./highlights";
import type { OutlineEntry } from "./outlineEntries";
import { PageView } from "./PageView";
import type { Rotation } from "./pageGeometry";
import { QuoteBar } from "./QuoteBar";
import { SelectionMenu } from "./SelectionMenu";
import { SidePanel } from "./SidePanel";
import { SlideView } from "./SlideView";
import { SnapshotBar } from "./SnapshotBar";
import { TextView } from "./TextView";
import { Toolbar } from "./Toolbar";
import { useAnnotations } from "./useAnnotations";
import type { Document, Sheet } from "./useDocument";
import { loadBoxes, useHighlights } from "./useHighlights";
import { usePageSource } from "./usePageSource";
import { useScrollTarget } from "./useScrollTarget";
import { useSidePanel } from "./useSidePanel";
import { useSlides } from "./useSlides";
import { useToolbarActions } from "./useToolbarActions";
import { useZoom } from "./useZoom";
import { handleViewerKeys, useFindKey } from "./viewerKeys";
import { traceViewer } from "./viewerTrace";
import { getNextStep } from "./zoom";

const NONE: Highlight[] = [];
const HEADING = 20; // characters of a heading that locate it

/** A document that was read: its pages or its text with highlights, and the toolbar. */
export function DocumentView({
  document,
  sheets,
  reading,
  onChoose,
  onStep,
  onClose,
  onOther,
  onFound,
  onFile,
  lead,
}: DocumentViewProps) {
  const t = useTranslate();
  const [rotation, setRotation] = useState<Rotation>(0);
  const [page, setPage] = useState(reading.page ?? 1);
  const [readStart, setReadStart] = useState(0);
  const isTreeOpen = useStore(treeOpenStore);
  const [body, setBody] = useState<HTMLElement | null>(null);
  const { isFinding, found, setFinding, setFound } = useFinding();
  const { target, scrollTo } = useScrollTarget();
  const { zoom, scale, isOwnZoom, setScale, chooseZoom } = useZoom(target?.id ?? null);
  const { source, trouble, canDraw, isDrawn, isSlides, isSheet, isText, toggleText, reportBroken } = usePageSource(
    document,
    sheets,
  );
  const slides = useSlides(document.id);
  const notes = useAnnotations(document.id);
  const others = useMemo(() => [...found, ...notes], [found, notes]);
  const highlights = useHighlights(reading.document, reading.marks, reading.chosenKey, sheets.length > 0, others);
  const { isPanelOpen, togglePanel, isNotes, setNotes, choose } = useSidePanel(onChoose);

  const goToHeading = async ({ page, start }: OutlineEntry) => {
    const boxes = isDrawn && start !== null ? await loadBoxes(document.id, { start, end: start + HEADING }) : [];
    scrollTo({ page, start, boxes });
  };
  const goToPage = useCallback(
    (number: number) => scrollTo({ page: number, start: sheets[number - 1]?.start ?? 0 }),
    [scrollTo, sheets],
  );
  const stepPage = (by: 1 | -1) => {
    const next = page + by;
    if (next >= 1 && next <= sheets.length) goToPage(next);
  };
  const hasDarkPages = useStore(darkPagesStore);

  const chosen = highlights.find((each) => each.isChosen && each.mark) ?? null;
  const isKnown = chosen === null || chosen.boxes.length > 0 || !isDrawn;
  const [start, boxes] = [chosen?.start ?? null, chosen?.boxes];
  const around = highlights.find((each) => each.tone === "passage")?.boxes ?? [];
  const wished = chosen?.mark?.page ?? reading.page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls at every request, and when the position becomes known
  useEffect(() => {
    if (!chosen && wished === null) return;
    const from = sheets.find((sheet) => sheet.number === wished)?.start ?? null;
    traceViewer("viewer", `goes to page ${wished ?? "–"}, character ${start ?? from ?? "–"}`, document.id, boxes ?? []);
    scrollTo({ page: wished, start: start ?? from, end: chosen?.end ?? null, around, ...(boxes && { boxes }) }, false);
  }, [reading.request, reading.chosenKey, isKnown, isDrawn, around.length]);

  const acts = useToolbarActions({
    document,
    chosen: chosen?.mark ?? null,
    page: sheets.length ? page : null,
    isText,
    canDraw,
    onText: toggleText,
    isDark: isDrawn && source.pdf ? hasDarkPages : null,
    onRotate: isDrawn ? () => setRotation((now) => ((now + 90) % 360) as Rotation) : null,
  });
  const openSearch = useCallback(() => setFinding(true), [setFinding]);
  useFindKey(!onClose, openSearch);
  const pressed = handleViewerKeys({
    find: openSearch,
    dismiss: isFinding ? () => setFinding(false) : null,
    stepPage: sheets.length ? stepPage : null,
    zoom: (by) => chooseZoom(by === 0 ? "width" : getNextStep(scale, by)),
  });
  const file = findProjectPath(document);
  const tree = onFile ? file : null;
  const title = file?.path || document.title || document.name;
  const named = useMemo(() => ({ id: document.id, title }), [document.id, title]);
  const textView = { document: document.id, highlights, target, zoom, onScale: setScale, onChoose: choose };
  const place = reading.marks.findIndex((mark) => mark.key === reading.chosenKey) + 1;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work wherever the focus is in the viewer
    <div className="reader" data-dark-pages={hasDarkPages || undefined} onKeyDown={pressed}>
      <Toolbar
        title={title}
        page={page}
        sheets={sheets}
        citation={onClose ? { n: reading.marks[place - 1]?.n ?? 0, place, count: reading.marks.length } : null}
        zoom={zoom}
        scale={scale}
        panelLabel={t(tree ? "projects.files" : "viewer.panel")}
        isPanelOpen={tree ? isTreeOpen : isPanelOpen}
        isFinding={isFinding}
        actions={acts}
        lead={lead?.(title)}
        onPage={goToPage}
        onStep={onStep}
        onZoom={chooseZoom}
        onPanel={() => (tree ? treeOpenStore.set(!isTreeOpen) : togglePanel())}
        onFind={() => setFinding(!isFinding)}
        onClose={onClose}
      />
      {isFinding && (
        <FindBar
          document={document.id}
          page={page}
          onFound={setFound}
          onGo={scrollTo}
          onClose={() => setFinding(false)}
        />
      )}
      <QuoteBar mark={reading.marks.find((mark) => mark.key === reading.chosenKey) ?? null} />
      <SnapshotBar document={document} quote={chosen?.mark?.quote ?? ""} onOther={onOther} />
      {trouble && <p className="viewer-notice">{t(trouble === "locked" ? "viewer.locked" : "viewer.broken")}</p>}
      <div className="reader-body" ref={setBody}>
        {tree && isTreeOpen && (
          <nav className="viewer-panel" aria-label={t("projects.files")}>
            <FileTree {...tree} onOpen={(path) => onFile?.(tree.project, path)} />
          </nav>
        )}
        {!tree && isPanelOpen && (
          <SidePanel
            document={document.id}
            pdf={isDrawn ? source.pdf : null}
            slides={isSlides ? slides : null}
            sheets={sheets}
            page={page}
            start={isDrawn ? null : readStart}
            onGo={goToHeading}
            onPage={goToPage}
            isNotes={isNotes}
            onNotes={setNotes}
            onNote={({ page, start, boxes }) => scrollTo({ page, start, boxes: boxes as PageBoxes[] })}
          />
        )}
        {isDrawn ? (
          <PageView
            sheets={sheets}
            source={source}
            highlights={highlights}
            target={target}
            zoom={zoom}
            isOwnZoom={isOwnZoom}
            rotation={rotation}
            onPage={setPage}
            onScale={setScale}
            onZoom={chooseZoom}
            onChoose={choose}
            onGo={goToPage}
            onBroken={reportBroken}
          />
        ) : isSlides ? (
          <SlideView {...textView} slides={slides} sheets={sheets} onPage={setPage} onStart={setReadStart} />
        ) : document.kind === "code" ? (
          <CodeDocument {...textView} file={file} />
        ) : (
          <TextView
            key={isSheet ? "sheet" : "text"}
            {...textView}
            kind={document.kind}
            isSheet={isSheet}
            sheets={sheets}
            onPage={setPage}
            onStart={setReadStart}
          />
        )}
      </div>
      {chosen?.mark && chosen.mark.n !== null && <HighlightLegend />}
      <SelectionMenu root={body} document={named} sheets={sheets} onFound={onFound} />
      <p className="hidden" aria-live="polite">
        {announceMark(t, chosen, getNumberedPage(sheets, page))}
      </p>
    </div>
  );
}

/** Return whether the search bar is open, and the matches that it has found. */
function useFinding() {
  const [isFinding, setFinding] = useState(false);
  const [found, setFound] = useState(NONE);
  return { isFinding, setFinding, found, setFound };
}

type DocumentViewProps = DocumentReaderProps & { document: Document; sheets: Sheet[] };

/** Return what screen readers announce when a mark is chosen. */
function announceMark(t: Translate, chosen: Highlight | null, shown: NumberedPage): string {
  if (!chosen?.mark) return "";
  const { n, page, path, lines = null } = chosen.mark;
  if (n !== null && path) return t("viewer.pageCitation", { n, page: nameLines({ path, lines }) });
  if (n === null) return titlePage(t, page === null ? shown : chosen.mark);
  if (page === null) return t("viewer.citationOnly", { n });
  return t("viewer.pageCitation", { n, page: titlePage(t, chosen.mark) });
}
