/**
 * Keep a selection near the pointer where there are no words. Browsers end a selection at the element below the
 * pointer; between absolutely positioned words that would be the last words of the page. So while words are being
 * selected, an element that cannot be selected lies below them, placed in the document beside the last touched words.
 */
export function guardSelection(layer: HTMLElement): void {
  const under = document.createElement("div");
  under.className = "words-under";
  layer.append(under);

  layer.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || !isWord(event.target)) return;
    layer.classList.add("selecting");
    event.target.after(under);
    const done = () => {
      layer.classList.remove("selecting");
      layer.append(under);
      window.removeEventListener("pointerup", done);
      window.removeEventListener("pointercancel", done);
      layer.removeEventListener("pointermove", moved);
    };
    const moved = ({ target }: PointerEvent) => {
      const anchor = getSelection()?.anchorNode;
      if (!isWord(target) || !anchor || !layer.contains(anchor)) return;
      const isBack = anchor.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING;
      if (isBack) target.before(under);
      else target.after(under);
    };
    layer.addEventListener("pointermove", moved);
    window.addEventListener("pointerup", done);
    window.addEventListener("pointercancel", done);
  });
}

function isWord(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.localName === "span";
}
