/** Find search words in a text, ignoring case and accents. */

export interface Piece {
  text: string;
  isFound: boolean;
}

/** Split a text into parts that match a word or not. Joined, they are the text. */
export function splitMatches(text: string, words: string): Piece[] {
  const wanted = words.split(/\s+/).map(foldText).filter(Boolean);
  const characters = [...text];
  const found = new Array<boolean>(characters.length).fill(false);
  const { plain, places } = foldCharacters(characters);
  for (const word of wanted) {
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1)) {
      for (let unit = at; unit < at + word.length; unit++) found[places[unit] ?? 0] = true;
    }
  }
  const pieces: Piece[] = [];
  characters.forEach((character, index) => {
    const last = pieces.at(-1);
    const isFound = found[index] ?? false;
    if (last && last.isFound === isFound) last.text += character;
    else pieces.push({ text: character, isFound });
  });
  return pieces;
}

/** Return the part of a text around the first word that is found in it, at most `length` characters. */
export function cutAroundMatch(text: string, words: string, length: number): string {
  if (text.length <= length) return text;
  const [before] = splitMatches(text, words);
  const at = before && !before.isFound && before.text.length < text.length ? before.text.length : 0;
  // A few words before the match say what it is about. The part begins with a whole word.
  const near = Math.min(Math.max(0, at - length / 3), text.length - length);
  const start = near > 0 ? text.indexOf(" ", near) + 1 : 0;
  const end = start + length;
  const cut = text.slice(start, end).trim();
  return `${start > 0 ? "…" : ""}${cut}${end < text.length ? "…" : ""}`;
}

/** Remove case and accents, and record for each unit of the result which character it came from. */
function foldCharacters(characters: string[]): { plain: string; places: number[] } {
  const places: number[] = [];
  let plain = "";
  characters.forEach((character, index) => {
    const bare = foldText(character);
    plain += bare;
    for (let unit = 0; unit < bare.length; unit++) places.push(index);
  });
  return { plain, places };
}

function foldText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
