import { useEffect, useRef, useState } from "react";
import { Icon } from "./Icon";
import "../styles/fields.css";

const PAUSE = 200;

interface SearchFieldProps {
  label: string;
  words: string;
  onWords: (words: string) => void;
}

/** A search field that reports its words when the user stops typing. */
export function SearchField({ label, words, onWords }: SearchFieldProps) {
  const [typed, setTyped] = useState(words);
  const latest = useRef({ words, onWords });
  latest.current = { words, onWords };

  useEffect(() => setTyped(words), [words]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed !== latest.current.words) latest.current.onWords(typed);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <div className="with-icon">
      <Icon name="search" size={16} />
      <input
        className="field"
        type="search"
        maxLength={300}
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}
