import { lazy, type PointerEvent, type ReactNode, Suspense, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import type { Problem } from "../api/problem";
import { useBackLayer } from "../components/backLayers";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { MIN_WIDTH_FOR_BOTH, notebookPanel } from "../notebook/notebookStore";
import { createPersistentStore } from "../state/persistentStore";
import { useStore } from "../state/store";
import { offerPlaceBeside } from "../viewer/openSource";
import { closeViewer, viewerStore } from "../viewer/viewerStore";
import { ErrorBoundary } from "./ErrorBoundary";

const Viewer = lazy(() => import("../viewer/Viewer"));

const MIN_SHARE = 0.25;
const MAX_SHARE = 0.7;
const viewerShare = createPersistentStore("viewer.share", 0.5);

/** A view with the open source beside it. On a phone the source is a sheet above the view. */
export function SplitView({ main, viewer = <Viewer /> }: { main: ReactNode; viewer?: ReactNode }) {
  const t = useTranslate();
  const { isOpen, document: source, file, request } = useStore(viewerStore);
  const width = useStore(viewerShare);
  const whole = useRef<HTMLDivElement>(null);
  const isShown = isOpen && Boolean(source || file);
  const [path] = useLocation();
  // In a list the reader opened the source; beside an answer it opens by itself.
  useBackLayer(isShown, closeViewer, path === "/library");
  useSourceInFront(request);
  useEffect(offerPlaceBeside, []);

  const set = (next: number) => viewerShare.set(Math.min(MAX_SHARE, Math.max(MIN_SHARE, next)));
  const drag = (event: PointerEvent) => {
    const box = whole.current?.getBoundingClientRect();
    if (box && event.buttons) set((box.right - event.clientX) / box.width);
  };

  return (
    <div className="split" ref={whole} style={{ "--share": width } as React.CSSProperties}>
      <main className="main" id="main">
        {main}
      </main>
      {isShown && (
        <>
          {/* Everything on the page is in a landmark. */}
          <section className="divider-place" aria-label={t("shell.resize")}>
            {/* biome-ignore lint/a11y/useSemanticElements: there is no element for a movable separator */}
            <div
              className="divider"
              role="separator"
              aria-orientation="vertical"
              aria-label={t("shell.resize")}
              aria-valuenow={Math.round(width * 100)}
              aria-valuemin={MIN_SHARE * 100}
              aria-valuemax={MAX_SHARE * 100}
              tabIndex={0}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={drag}
              onKeyDown={(event) => {
                if (event.key === "ArrowLeft") set(width + 0.04);
                if (event.key === "ArrowRight") set(width - 0.04);
              }}
            />
          </section>
          <ErrorBoundary fallback={(problem) => <ViewerError problem={problem} />}>
            <Suspense fallback={<aside className="viewer" aria-busy="true" />}>{viewer}</Suspense>
          </ErrorBoundary>
        </>
      )}
    </div>
  );
}

/** Close the notebook that hides the source, whenever the source is requested. */
function useSourceInFront(request: number): void {
  const before = useRef(request);
  useEffect(() => {
    if (request > before.current && innerWidth < MIN_WIDTH_FOR_BOTH) notebookPanel.set(false);
    before.current = request;
  }, [request]);
}

/** Shown when the viewer cannot be loaded, as when the server stopped before. The answers stay. */
function ViewerError({ problem }: { problem: Problem }) {
  const t = useTranslate();
  return (
    <aside className="viewer">
      <ErrorMessage fault={problem}>
        <button type="button" className="button" onClick={() => location.reload()}>
          {t("shell.reload")}
        </button>
        <button type="button" className="button" onClick={closeViewer}>
          {t("shell.close")}
        </button>
      </ErrorMessage>
    </aside>
  );
}
