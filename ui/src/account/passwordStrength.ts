/** Judge how hard a new password is to guess, while it is being typed. */

export type Strength = "empty" | "short" | "weak" | "fair" | "strong";

const COMMON = /passw[o0]rd|motdepasse|azerty|qwert[yz]|12345\d*|letmein|bienvenue|welcome|pincite/gi;
const FAIR_BITS = 48;
const STRONG_BITS = 72;
const PLAIN_SHARE = 0.25;

/** Judge a password. What is easy to guess, such as the person's names, a common word or a row of keys, hardly counts. */
export function ratePassword(password: string, shortest: number, names: readonly string[] = []): Strength {
  if (!password) return "empty";
  const characters = [...password.normalize("NFKC")];
  if (characters.length < shortest) return "short";
  const bits = countBits(names.filter((name) => name.length > 2).reduce(removeName, password.replace(COMMON, "_")));
  return bits < FAIR_BITS ? "weak" : bits < STRONG_BITS ? "fair" : "strong";
}

function removeName(text: string, name: string): string {
  return text.toLowerCase().split(name.toLowerCase()).join("_");
}

function countBits(text: string): number {
  const points = [...text].map((each) => each.codePointAt(0) ?? 0);
  const seen = new Set<number>();
  let length = 0;
  points.forEach((point, place) => {
    // A character that repeats or continues the one before it, as in "aaaa" or "1234", can be foreseen.
    const isForeseen = place > 0 && Math.abs(point - (points[place - 1] ?? 0)) <= 1;
    length += isForeseen ? PLAIN_SHARE : seen.has(point) ? 0.75 : 1;
    seen.add(point);
  });
  return length * Math.log2(countAlphabet(text));
}

/** Return how many characters there are of the kinds that occur. */
function countAlphabet(text: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[ -/:-@[-`{-~]/, 20],
    [/[^ -~]/, 60],
  ];
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(text) ? size : 0), 2);
}
