const LONGEST = 80;

/** A first question to the title that the server gives its conversation: on one line, cut between words. */
export function titleOf(question: string): string {
  const words = question.split(/\s+/).filter(Boolean).join(" ");
  const letters = [...words];
  if (letters.length <= LONGEST) return words;
  const start = letters.slice(0, LONGEST).join("");
  const space = start.lastIndexOf(" ");
  const cut = [...(space > 0 ? start.slice(0, space) : words)].slice(0, LONGEST - 1).join("");
  return `${cut.replace(/[ ,;:.]+$/, "")}…`;
}
