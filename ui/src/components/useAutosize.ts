import { type RefObject, useLayoutEffect, useRef } from "react";

const MAX_SHARE = 0.4; // of the window's height

/** Make a text area as high as its text, up to a share of the window. */
export function useAutosize(text: string): RefObject<HTMLTextAreaElement | null> {
  const area = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight + 2, innerHeight * MAX_SHARE)}px`;
  }, [text]);
  return area;
}
