import { splitMatches } from "./searchMatches";

/** A text with the search words marked. */
export function MatchedText({ text, words }: { text: string; words: string }) {
  if (!words.trim()) return text;
  let at = 0;
  return splitMatches(text, words).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.isFound ? <mark key={key}>{piece.text}</mark> : piece.text;
  });
}
