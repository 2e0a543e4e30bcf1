const TAIL = 12;
const LONGEST_TAIL = 20;

/** A title on one line. If it is too long its middle is left out, since names often differ at their end. */
export function TruncatedTitle({ text }: { text: string }) {
  const letters = [...text];
  const cut = letters.length > 3 * TAIL ? findTailStart(letters) : letters.length;
  return (
    <span className="viewer-title" title={text}>
      <span className="viewer-title-head">{letters.slice(0, cut).join("")}</span>
      {cut < letters.length && <span className="viewer-title-tail">{letters.slice(cut).join("")}</span>}
    </span>
  );
}

/** The title of a source: the heading of the page if the source is the page, else of a part of it. */
export function ViewerTitle({ text, isPage }: { text: string; isPage: boolean }) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <Heading>
      <TruncatedTitle text={text} />
    </Heading>
  );
}

/** Find where the end of a long title starts: at a word, if one starts near enough. */
function findTailStart(letters: string[]): number {
  const latest = letters.length - TAIL;
  for (let at = latest; at > letters.length - LONGEST_TAIL; at--) {
    if (/[\s_-]/.test(letters[at - 1] ?? "")) return at;
  }
  return latest;
}
