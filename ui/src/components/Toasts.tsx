import { useStore } from "../state/store";
import { toastStore } from "./toastStore";

/** The messages of the toast store. */
export function Toasts() {
  const toasts = useStore(toastStore);
  return (
    <output className="toasts" aria-live="polite">
      {toasts.map(({ id, text, action }) => (
        <div className="toast" key={id}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                action.run();
                toastStore.drop(id);
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
