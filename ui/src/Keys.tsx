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
      if (event.key === "Escape") return escaped(event);
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

/** Escape belongs to what is nearest: a window or a menu, a field; then it leaves the question, then it closes the source. */
function escaped(event: KeyboardEvent): void {
  if (event.isComposing || document.querySelector("dialog[open], [popover]:popover-open")) return;
  if (!isField(event.target)) close();
  else if (event.target instanceof HTMLElement && event.target.id === "ask") rest();
}

/** Put the focus on the last answer, where `j` and `k` are keys and not letters. */
function rest(): void {
  // The pages of a source are articles too, and stand beside.
  const place = [...document.querySelectorAll<HTMLElement>("main, main article")].at(-1);
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}
