import { useEffect, useMemo, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { Icon } from "../components/Icon";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { askAbout } from "../conversation/composer/askAbout";
import { useTranslate } from "../i18n";
import { DocumentReader } from "./DocumentReader";
import { parseDocumentAddress } from "./documentAddress";
import type { PassageRequest } from "./openSource";
import type { Mark } from "./viewerStore";

/** A document on its own page, at the passage or the page that the address names. */
export default function DocumentRoute({ id }: { id: string }) {
  const search = useSearch();
  const [, go] = useLocation();
  const [request, setRequest] = useState(0);
  const asked = useHistoryState<PassageRequest | null>()?.request ?? 0;
  const [title, setTitle] = useState("");
  useDocumentTitle(title);
  const reading = useMemo(() => {
    const { span, page } = parseDocumentAddress(search);
    const marks: Mark[] = span ? [makeSpanMark(id, span, page)] : [];
    return { document: id, page, chosenKey: marks[0]?.key ?? null, marks, request: request + asked };
  }, [id, search, request, asked]);
  return (
    <main className="main source-room" id="main">
      <DocumentReader
        reading={reading}
        onChoose={() => setRequest((now) => now + 1)}
        onStep={() => {}}
        onClose={null}
        onOther={(document) => go(`/d/${document}`)}
        onFound={({ document, start, end }) => go(`/d/${document}?span=${start}-${end}`)}
        lead={(known) => <AskLink id={id} title={known} onTitle={setTitle} />}
      />
    </main>
  );
}

function AskLink({ id, title, onTitle }: { id: string; title: string; onTitle: (title: string) => void }) {
  const t = useTranslate();
  useEffect(() => onTitle(title), [title, onTitle]);
  return (
    <Link className="button source-ask" to="/" aria-label={t("viewer.ask")} onClick={() => askAbout([{ id, title }])}>
      <Icon name="ask" size={16} />
      <span>{t("viewer.ask")}</span>
    </Link>
  );
}

function makeSpanMark(document: string, span: { start: number; end: number }, page: number | null): Mark {
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
  return { ...about, key: `span:${start}-${end}`, start, end, boxes: [] };
}
