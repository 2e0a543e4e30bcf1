const TAIL = 12;

/** A title on one line; where it is too long its middle is left out, since names often differ at their end. */
export function Title({ text }: { text: string }) {
  const letters = [...text];
  const cut = letters.length > 3 * TAIL ? letters.length - TAIL : letters.length;
  return (
    <span className="viewer-title" title={text}>
      <span className="viewer-title-head">{letters.slice(0, cut).join("")}</span>
      {cut < letters.length && <span className="viewer-title-tail">{letters.slice(cut).join("")}</span>}
    </span>
  );
}
