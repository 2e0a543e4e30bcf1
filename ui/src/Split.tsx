import { lazy, type PointerEvent, type ReactNode, Suspense, useRef } from "react";
import type { Problem } from "./api/problem";
import { Caught } from "./Caught";
import { close, desk } from "./desk";
import { Trouble } from "./look/Trouble";
import { remembered } from "./remembered";
import { useStore } from "./store";
import { useWords } from "./words";

const Viewer = lazy(() => import("./viewer/Viewer"));

const LEAST = 0.25;
const MOST = 0.7;
const share = remembered("viewer.share", 0.5);

/** A room, with the source beside it when one is open; on a phone the source is a sheet over it. */
export function Split({ main }: { main: ReactNode }) {
  const say = useWords();
  const { isOpen, document: source } = useStore(desk);
  const width = useStore(share);
  const whole = useRef<HTMLDivElement>(null);

  const set = (next: number) => share.set(Math.min(MOST, Math.max(LEAST, next)));
  const drag = (event: PointerEvent) => {
    const box = whole.current?.getBoundingClientRect();
    if (box && event.buttons) set((box.right - event.clientX) / box.width);
  };

  return (
    <div className="split" ref={whole} style={{ "--share": width } as React.CSSProperties}>
      <main className="main" id="main">
        {main}
      </main>
      {isOpen && source && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves has no element of its own */}
          <div
            className="divider"
            role="separator"
            aria-orientation="vertical"
            aria-label={say("shell.resize")}
            aria-valuenow={Math.round(width * 100)}
            aria-valuemin={LEAST * 100}
            aria-valuemax={MOST * 100}
            tabIndex={0}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
            onKeyDown={(event) => {
              if (event.key === "ArrowLeft") set(width + 0.04);
              if (event.key === "ArrowRight") set(width - 0.04);
            }}
          />
          <Caught broken={(problem) => <Unshown problem={problem} />}>
            <Suspense fallback={<aside className="viewer" aria-busy="true" />}>
              <Viewer />
            </Suspense>
          </Caught>
        </>
      )}
    </div>
  );
}

/** The source cannot be shown, as when the server went before the viewer was loaded: what was answered stays. */
function Unshown({ problem }: { problem: Problem }) {
  const say = useWords();
  return (
    <aside className="viewer">
      <Trouble fault={problem}>
        <button type="button" className="button" onClick={() => location.reload()}>
          {say("shell.reload")}
        </button>
        <button type="button" className="button" onClick={close}>
          {say("shell.close")}
        </button>
      </Trouble>
    </aside>
  );
}
