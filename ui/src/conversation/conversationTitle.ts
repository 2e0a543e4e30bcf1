const MAX_LENGTH = 80;

/** Make a conversation's title from its first question as the server does: on one line, cut between words. */
export function makeTitle(question: string): string {
  const words = question.split(/\s+/).filter(Boolean).join(" ");
  const letters = [...words];
  if (letters.length <= MAX_LENGTH) return words;
  const start = letters.slice(0, MAX_LENGTH).join("");
  const space = start.lastIndexOf(" ");
  const cut = [...(space > 0 ? start.slice(0, space) : words)].slice(0, MAX_LENGTH - 1).join("");
  return `${cut.replace(/[ ,;:.]+$/, "")}…`;
}
