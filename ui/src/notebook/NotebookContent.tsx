import { type DragEvent, useState } from "react";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { ItemRow } from "./ItemRow";
import { itemRemoval, makeRemovalId, notebookStore, type WholeNotebook } from "./notebookStore";
import { WordsField } from "./WordsField";
import "./notebook.css";

/** Everything in a notebook, in its order, and a field for own words. */
export function NotebookContent({ notebook }: { notebook: WholeNotebook }) {
  const t = useTranslate();
  const gone = useStore(itemRemoval.gone);
  const [isWriting, setWriting] = useState(false);
  const [dragged, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<{ id: string; side: "before" | "after" } | null>(null);
  const [said, setSaid] = useState("");
  const items = notebook.kept.filter((item) => !gone.has(makeRemovalId(item)));

  const move = (id: string, place: number) => {
    setSaid(t("notebook.moved", { n: place + 1, of: items.length }));
    notebookStore.move(id, place).catch((error) => showToast(describeError(t, toProblem(error)).message));
  };
  const over = (event: DragEvent<HTMLLIElement>, id: string) => {
    if (!dragged) return;
    event.preventDefault();
    const box = event.currentTarget.getBoundingClientRect();
    setTarget({ id, side: event.clientY < box.top + box.height / 2 ? "before" : "after" });
  };
  const drop = () => {
    const rest = items.filter((each) => each.id !== dragged);
    const at = rest.findIndex((each) => each.id === target?.id);
    if (dragged && target && at >= 0) move(dragged, at + (target.side === "after" ? 1 : 0));
    setDragged(null);
    setTarget(null);
  };
  const write = async (text: string) => {
    setWriting(false);
    try {
      await notebookStore.keep({ kind: "text", text }, notebook.title, notebook);
    } catch (error) {
      showToast(describeError(t, toProblem(error)).message);
    }
  };
  return (
    <div className="notebook">
      {items.length > 0 ? (
        <ol className="kept-list">
          {items.map((item, place) => (
            <ItemRow
              key={item.id}
              item={item}
              place={place}
              count={items.length}
              missing={notebook.missing}
              drop={dragged && dragged !== item.id && target?.id === item.id ? target.side : null}
              onMove={(to) => move(item.id, to)}
              onDrag={(isDragged) => {
                setDragged(isDragged ? item.id : null);
                if (!isDragged) setTarget(null);
              }}
              onOver={(event) => over(event, item.id)}
              onDrop={drop}
            />
          ))}
        </ol>
      ) : (
        <EmptyNotebook />
      )}
      {isWriting ? (
        <WordsField label={t("notebook.words")} words="" onSave={write} onLeave={() => setWriting(false)} />
      ) : (
        <button type="button" className="button notebook-write" onClick={() => setWriting(true)}>
          <Icon name="add" size={16} /> {t("notebook.write")}
        </button>
      )}
      <p className="hidden" role="status">
        {said}
      </p>
    </div>
  );
}

/** What can be kept, and how. */
function EmptyNotebook() {
  const t = useTranslate();
  return (
    <div className="notebook-empty">
      <p>{t("notebook.empty")}</p>
      <ul>
        <li>
          <Icon name="keep" size={16} /> {t("notebook.empty.answer")}
        </li>
        <li>
          <Icon name="keep" size={16} /> {t("notebook.empty.sentence")}
        </li>
        <li>
          <Icon name="document" size={16} /> {t("notebook.empty.passage")}
        </li>
        <li>
          <Icon name="edit" size={16} /> {t("notebook.empty.words")}
        </li>
      </ul>
    </div>
  );
}
