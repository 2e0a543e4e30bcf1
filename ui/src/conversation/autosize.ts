import { type RefObject, useLayoutEffect, useRef } from "react";

const MOST = 0.4; // of the window's height

/** A text area that is as high as its text, up to a part of the window. */
export function useAutosize(text: string): RefObject<HTMLTextAreaElement | null> {
  const area = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what changes the height
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight + 2, innerHeight * MOST)}px`;
  }, [text]);
  return area;
}
