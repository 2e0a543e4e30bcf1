import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

// What floats is opened and closed by the browser; this one cannot.
HTMLElement.prototype.showPopover ??= () => {};
HTMLElement.prototype.hidePopover ??= () => {};

export interface Drawn {
  page: HTMLElement;
  draw: (node: ReactNode) => void;
  leave: () => void;
}

/** A page with this on it. */
export function drawn(node: ReactNode): Drawn {
  const page = document.createElement("div");
  document.body.append(page);
  const root = createRoot(page);
  const draw = (next: ReactNode) => act(() => root.render(next));
  draw(node);
  return {
    page,
    draw,
    leave() {
      act(() => root.unmount());
      page.remove();
    },
  };
}

/** What is drawn, as HTML. */
export function html(node: ReactNode): string {
  const { page, leave } = drawn(node);
  const made = page.innerHTML;
  leave();
  return made;
}
