import { useEffect, useMemo, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { askAbout } from "../conversation/scope";
import type { Mark } from "../desk";
import { Icon } from "../look/Icon";
import { useTitle } from "../look/titled";
import { useWords } from "../words";
import { asked } from "./asked";
import { Reader } from "./Reader";

/** A source alone, at the passage or the page its address names. */
export default function Source({ id }: { id: string }) {
  const search = useSearch();
  const [, go] = useLocation();
  const [turn, setTurn] = useState(0);
  const [title, setTitle] = useState("");
  useTitle(title);
  const reading = useMemo(() => {
    const { span, page } = asked(search);
    const marks: Mark[] = span ? [marked(id, span, page)] : [];
    return { document: id, page, chosen: span ? SPAN : null, marks, turn };
  }, [id, search, turn]);
  return (
    <main className="main source-room" id="main">
      <Reader
        reading={reading}
        onChoose={() => setTurn((now) => now + 1)}
        onStep={() => {}}
        onClose={null}
        onOther={(document) => go(`/d/${document}`)}
        lead={(known) => <Lead id={id} title={known} onTitle={setTitle} />}
      />
    </main>
  );
}

function Lead({ id, title, onTitle }: { id: string; title: string; onTitle: (title: string) => void }) {
  const say = useWords();
  useEffect(() => onTitle(title), [title, onTitle]);
  return (
    <Link className="button source-ask" to="/" onClick={() => askAbout([{ id, title }])}>
      <Icon name="ask" size={16} />
      <span>{say("viewer.ask")}</span>
    </Link>
  );
}

const SPAN = "span";

function marked(document: string, span: { start: number; end: number }, page: number | null): Mark {
  const { start, end } = span;
  const about = {
    document,
    title: "",
    kind: null,
    tone: "pin" as const,
    n: null,
    page,
    label: "",
    quote: "",
    passage: null,
  };
  return { ...about, key: SPAN, start, end, boxes: [] };
}
