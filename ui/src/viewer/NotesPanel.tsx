import { useEffect, useRef } from "react";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { Menu } from "../components/Menu";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { keepThing } from "../notebook/keepThing";
import { WordsField } from "../notebook/WordsField";
import { useStore } from "../state/store";
import { abbreviatePage } from "../text/pageNames";
import { type Annotation, annotationRemoval, annotationStore, COLOURS } from "./annotationStore";
import { nameColour } from "./useAnnotations";
import "../notebook/notebook.css";

interface NotesPanelProps {
  document: string;
  onGo: (annotation: Annotation) => void;
}

/** The highlights and comments of the person on a document, in the order of its text. */
export function NotesPanel({ document, onGo }: NotesPanelProps) {
  const t = useTranslate();
  const { annotations, chosen, isWriting, isNew } = useStore(annotationStore);
  const gone = useStore(annotationRemoval.gone);
  const shown = annotations.filter(({ id }) => !gone.has(id));
  const exported = (format: "md" | "csv") =>
    `/api/annotations/export?format=${format}&document=${document}&language=${t.language}`;
  if (!shown.length) return <p className="notes-empty">{t("notes.empty")}</p>;
  return (
    <>
      <ol className="panel-list notes-list">
        {shown.map((each) => (
          <Note
            key={each.id}
            note={each}
            isChosen={chosen === each.id}
            isWriting={chosen === each.id && isWriting}
            isNew={isNew}
            onGo={onGo}
          />
        ))}
      </ol>
      <p className="notes-export">
        <a href={exported("md")} download>
          {t("notes.export.md")}
        </a>
        <a href={exported("csv")} download>
          {t("notes.export.csv")}
        </a>
      </p>
    </>
  );
}

interface NoteProps {
  note: Annotation;
  isChosen: boolean;
  isWriting: boolean;
  /** Whether it was made only for the comment that is being written. */
  isNew: boolean;
  onGo: (note: Annotation) => void;
}

function Note({ note, isChosen, isWriting, isNew, onGo }: NoteProps) {
  const t = useTranslate();
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) place.current?.scrollIntoView?.({ block: "nearest" });
  }, [isChosen]);
  const { id, colour, comment, quote, state } = note;
  const tell = (error: unknown) => showToast(describeError(t, toProblem(error)).message);
  const change = (given: Parameters<typeof annotationStore.change>[1]) => annotationStore.change(id, given).catch(tell);
  const closeField = () => {
    if (annotationStore.get().chosen === id) annotationStore.choose(id);
  };
  const remove = () => annotationRemoval.remove([id], t("notes.removed"));
  const where = [abbreviatePage(t, note), nameColour(t, colour)].filter(Boolean).join(" · ");
  return (
    <li ref={place} className="note" data-colour={colour} data-chosen={isChosen || undefined}>
      <button
        type="button"
        className="note-open"
        disabled={state === "lost"}
        onClick={() => {
          annotationStore.choose(id);
          onGo(note);
        }}
      >
        <span className="note-where">{where}</span>
        <q className="note-quote">{quote}</q>
      </button>
      {state === "lost" && <p className="note-lost">{t("notes.lost")}</p>}
      {isWriting ? (
        <WordsField
          label={t("notes.comment")}
          words={comment}
          mayBeEmpty
          onSave={(words) => {
            closeField();
            void change({ comment: words });
          }}
          onLeave={() => {
            closeField();
            if (isNew && !annotationRemoval.gone.get().has(id)) remove();
          }}
        />
      ) : (
        comment && <p className="note-comment">{comment}</p>
      )}
      <Menu label={t("notes.acts", { quote: shorten(quote) })} trigger={<Icon name="menu" size={16} />}>
        {(close) => (
          <>
            <button
              type="button"
              role="menuitem"
              className="menu-item"
              onClick={() => {
                close();
                annotationStore.choose(id, true);
              }}
            >
              <Icon name="edit" size={16} /> {t(comment ? "notes.commentEdit" : "notes.commentAdd")}
            </button>
            {COLOURS.map((each) => (
              <button
                key={each}
                type="button"
                role="menuitemradio"
                aria-checked={each === colour}
                className="menu-item"
                onClick={() => {
                  close();
                  void change({ colour: each });
                }}
              >
                <span className="note-swatch" data-colour={each} aria-hidden="true" /> {nameColour(t, each)}
              </button>
            ))}
            {state === "found" && (
              <button
                type="button"
                role="menuitem"
                className="menu-item"
                onClick={() => {
                  close();
                  const { document, start, end } = note;
                  void keepThing({ kind: "passage", document, start, end, comment });
                }}
              >
                <Icon name="keep" size={16} /> {t("notes.keep")}
              </button>
            )}
            <button
              type="button"
              role="menuitem"
              className="menu-item danger"
              onClick={() => {
                close();
                remove();
              }}
            >
              <Icon name="remove" size={16} /> {t("notes.remove")}
            </button>
          </>
        )}
      </Menu>
    </li>
  );
}

function shorten(quote: string): string {
  return quote.length > 40 ? `${quote.slice(0, 40)}…` : quote;
}
