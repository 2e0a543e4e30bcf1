import { store, useStore } from "../store";

interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

const toasts = store<Toast[]>([]);
let count = 0;

/** Say something in passing, perhaps with one thing to do about it; gives back how to take it away. */
export function toast(text: string, action?: Toast["action"], seconds = 6): () => void {
  const id = ++count;
  const drop = () => toasts.set((now) => now.filter((each) => each.id !== id));
  toasts.set((now) => [...now.slice(-2), action ? { id, text, action } : { id, text }]);
  setTimeout(drop, seconds * 1000);
  return drop;
}

/** What was said in passing. */
export function Toasts() {
  const shown = useStore(toasts);
  return (
    <output className="toasts" aria-live="polite">
      {shown.map(({ id, text, action }) => (
        <div className="toast" key={id}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                action.run();
                toasts.set((now) => now.filter((each) => each.id !== id));
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </output>
  );
}
