/** Let words act as a link although they are no <a>: the mouse drags an <a>, and cannot select its words. */
import type { KeyboardEvent, MouseEvent } from "react";

const MIDDLE_BUTTON = 1;

/** Create the event handlers of a link: a click or Enter follows it, or opens its address in another tab. */
export function handleLink(address: string, run: () => void) {
  const openTab = () => open(address, "_blank", "noopener");
  const follow = ({ ctrlKey, metaKey }: MouseEvent | KeyboardEvent) => (ctrlKey || metaKey ? openTab() : run());
  return {
    onClick: (event: MouseEvent) => !isSelected(event.currentTarget) && follow(event),
    // The browser would begin to scroll.
    onMouseDown: (event: MouseEvent) => event.button === MIDDLE_BUTTON && event.preventDefault(),
    onAuxClick: (event: MouseEvent) => event.button === MIDDLE_BUTTON && openTab(),
    onKeyDown: (event: KeyboardEvent) => event.key === "Enter" && !event.defaultPrevented && follow(event),
  };
}

/** Return whether words of an element are selected: the click then ended the selection, and follows no link. */
function isSelected(element: Element): boolean {
  const selection = getSelection();
  if (!selection?.rangeCount || selection.isCollapsed) return false;
  return selection.getRangeAt(0).intersectsNode(element);
}
