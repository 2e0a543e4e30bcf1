import { type DragEvent, useState } from "react";
import { Link } from "wouter";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { Menu } from "../components/Menu";
import { MenuItem } from "../components/MenuItem";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { ItemText } from "./ItemText";
import { itemRemoval, makeRemovalId, type NotebookItem, notebookStore } from "./notebookStore";
import { WordsField } from "./WordsField";

interface ItemRowProps {
  item: NotebookItem;
  place: number;
  count: number;
  missing: readonly string[];
  /** Where a dragged thing would go: above or below this one. */
  drop: "before" | "after" | null;
  onMove: (place: number) => void;
  onDrag: (isDragged: boolean) => void;
  onOver: (event: DragEvent<HTMLLIElement>) => void;
  onDrop: () => void;
}

/** A kept thing with its comment, a handle to drag it, and a menu. */
export function ItemRow({ item, place, count, missing, drop, onMove, onDrag, onOver, onDrop }: ItemRowProps) {
  const t = useTranslate();
  const [editing, setEditing] = useState<"text" | "comment" | null>(null);
  const [isGrabbed, setGrabbed] = useState(false);
  const save = (change: { text?: string; comment?: string }) => {
    setEditing(null);
    notebookStore.change(item, change).catch(showProblem);
  };
  const showProblem = (error: unknown) => showToast(describeError(t, toProblem(error)).message);
  return (
    <li
      className="kept-item"
      data-kind={item.kind}
      data-drop={drop ?? undefined}
      draggable={isGrabbed}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", item.text);
        onDrag(true);
      }}
      onDragEnd={() => {
        setGrabbed(false);
        onDrag(false);
      }}
      onDragOver={onOver}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <span
        className="kept-handle"
        aria-hidden="true"
        title={t("notebook.drag")}
        onPointerDown={() => setGrabbed(true)}
        onPointerUp={() => setGrabbed(false)}
      >
        <Icon name="grip" size={16} />
      </span>
      <div className="kept-body">
        {editing === "text" ? (
          <WordsField
            label={t("notebook.words")}
            words={item.text}
            onSave={(text) => save({ text })}
            onLeave={() => setEditing(null)}
          />
        ) : (
          <ItemText item={item} missing={missing} />
        )}
        {editing === "comment" ? (
          <WordsField
            label={t("notebook.comment")}
            words={item.comment}
            mayBeEmpty
            onSave={(comment) => save({ comment })}
            onLeave={() => setEditing(null)}
          />
        ) : (
          item.comment && <p className="kept-comment">{item.comment}</p>
        )}
        {item.question && item.kind !== "passage" && (
          <p className="kept-from">
            <Link to={`/c/${item.conversation}#${item.message}`}>{item.question}</Link>
          </p>
        )}
      </div>
      <Menu label={t("notebook.acts", { n: place + 1 })} trigger={<Icon name="menu" size={16} />}>
        {(close) => (
          <>
            {item.kind === "text" && (
              <MenuItem icon="edit" label={t("notebook.edit")} run={() => setEditing("text")} close={close} />
            )}
            {item.kind !== "text" && (
              <MenuItem
                icon="edit"
                label={t(item.comment ? "notebook.commentEdit" : "notebook.commentAdd")}
                run={() => setEditing("comment")}
                close={close}
              />
            )}
            {place > 0 && <MenuItem icon="up" label={t("notebook.up")} run={() => onMove(place - 1)} close={close} />}
            {place < count - 1 && (
              <MenuItem icon="down" label={t("notebook.down")} run={() => onMove(place + 1)} close={close} />
            )}
            <Transfers item={item} close={close} onProblem={showProblem} />
            <MenuItem
              icon="remove"
              label={t("notebook.remove")}
              run={() => itemRemoval.remove([makeRemovalId(item)], t("notebook.removed"))}
              close={close}
              isDanger
            />
          </>
        )}
      </Menu>
    </li>
  );
}

/** The other notebooks, to which a thing can be given. */
function Transfers({
  item,
  close,
  onProblem,
}: {
  item: NotebookItem;
  close: () => void;
  onProblem: (e: unknown) => void;
}) {
  const t = useTranslate();
  const { notebooks } = useStore(notebookStore);
  return (notebooks ?? [])
    .filter((each) => each.id !== item.notebook)
    .slice(0, 5)
    .map(({ id, title }) => (
      <MenuItem
        key={id}
        icon="forward"
        label={t("notebook.to", { title })}
        run={() => notebookStore.transfer(item, id).catch(onProblem)}
        close={close}
      />
    ));
}
