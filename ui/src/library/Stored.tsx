import { useWords } from "../words";
import { size } from "./amounts";
import type { Holdings } from "./holdings";

/** How much there is, and the room it takes, in one quiet line. */
export function Stored({ held }: { held: Holdings }) {
  const say = useWords();
  if (!held.documents) return null;
  const parts = [
    say.count("library.documents", held.documents),
    ...(held.pages ? [say.count("library.pages", held.pages)] : []),
    say("library.stored", { size: size(held.stored, say.language) }),
  ];
  return <p className="soft">{parts.join(" · ")}</p>;
}
