/** Where the words of a search stand in a text, whatever their case and accents. */

export interface Piece {
  text: string;
  isFound: boolean;
}

/** A text as pieces that are one of the words or not; joined they are the text. */
export function marked(text: string, words: string): Piece[] {
  const wanted = words.split(/\s+/).map(folded).filter(Boolean);
  const characters = [...text];
  const found = new Array<boolean>(characters.length).fill(false);
  const { plain, places } = plainOf(characters);
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

/** The characters without case and accents, and for each unit of that which character it came from. */
function plainOf(characters: string[]): { plain: string; places: number[] } {
  const places: number[] = [];
  let plain = "";
  characters.forEach((character, index) => {
    const bare = folded(character);
    plain += bare;
    for (let unit = 0; unit < bare.length; unit++) places.push(index);
  });
  return { plain, places };
}

function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
