import { useEffect, useState } from "react";
import { close, desk, step } from "./desk";
import { Dialog } from "./look/Dialog";
import { type Key, useWords } from "./words";

const KEYS: { keys: string[]; means: Key }[] = [
  { keys: ["/"], means: "keys.ask" },
  { keys: ["j"], means: "keys.next" },
  { keys: ["k"], means: "keys.previous" },
  { keys: ["o"], means: "keys.open" },
  { keys: ["Esc"], means: "keys.close" },
  { keys: ["?"], means: "keys.help" },
];

/** The keys that work everywhere but in a field, and the window that lists them. */
export function Keys() {
  const say = useWords();
  const [isShown, show] = useState(false);

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === "Escape" && !isBusy(event.target)) return close();
      if (isField(event.target)) return;
      const act = ACTS[event.key] ?? (event.key === "?" ? () => show(true) : null);
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);

  if (!isShown) return null;
  return (
    <Dialog title={say("shell.help")} onClose={() => show(false)}>
      <dl className="keys">
        {KEYS.map(({ keys, means }) => (
          <div key={means}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{say(means)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const ACTS: Record<string, () => void> = {
  "/": () => document.getElementById("ask")?.focus(),
  j: () => step(1),
  k: () => step(-1),
  o: () => desk.set((now) => (now.document ? { ...now, isOpen: true, turn: now.turn + 1 } : now)),
};

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Whether Escape belongs to something nearer: a window, a menu, a field. */
function isBusy(target: EventTarget | null): boolean {
  return isField(target) || document.querySelector("dialog[open], [popover]:popover-open") !== null;
}
