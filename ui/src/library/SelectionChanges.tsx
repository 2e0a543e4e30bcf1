import { type FormEvent, useState } from "react";
import { toProblem } from "../api/problem";
import { Icon } from "../components/Icon";
import { Menu } from "../components/Menu";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { describeInOneLine } from "./documentActions";
import { addTag, moveDocuments, removeTag, tagStore } from "./documentTags";
import { DEFAULT, librariesStore, nameLibrary, WEB } from "./librariesStore";

/** Menus that tag the selected documents and move them to another library. */
export function SelectionChanges({ documents, onDone }: { documents: string[]; onDone: () => void }) {
  const t = useTranslate();
  const tags = useStore(tagStore);
  const held = useStore(librariesStore);
  const own = held?.libraries.filter(({ key, owner }) => key !== WEB && !owner).map(({ key }) => key) ?? [];
  const run = (request: Promise<void>, done: string) =>
    request.then(
      () => showToast(done),
      (error: unknown) => showToast(describeInOneLine(t, toProblem(error))),
    );
  return (
    <>
      <Menu label={t("library.tag")} trigger={<Icon name="tag" />} hasField>
        {(close) => (
          <>
            <NewName
              label={t("library.tag.new")}
              maxLength={60}
              onName={(tag) => {
                close();
                void run(addTag(documents, tag), t("library.tag.added", { tag }));
              }}
            />
            {tags.map((tag) => (
              <div key={tag} className="menu-row">
                <button
                  type="button"
                  className="menu-item"
                  onClick={() => {
                    close();
                    void run(addTag(documents, tag), t("library.tag.added", { tag }));
                  }}
                >
                  <Icon name="tag" size={16} /> {tag}
                </button>
                <button
                  type="button"
                  className="menu-item"
                  aria-label={t("library.tag.remove", { tag })}
                  title={t("library.tag.remove", { tag })}
                  onClick={() => {
                    close();
                    void run(removeTag(documents, tag), t("library.tag.removed", { tag }));
                  }}
                >
                  <Icon name="minus" size={16} />
                </button>
              </div>
            ))}
          </>
        )}
      </Menu>
      <Menu label={t("library.move")} trigger={<Icon name="folder" />} hasField>
        {(close) => {
          const move = (library: string) => {
            close();
            void run(moveDocuments(documents, library), t("library.moved", { library: nameLibrary(t, library) })).then(
              onDone,
            );
          };
          return (
            <>
              {[...new Set([DEFAULT, ...own])].map((key) => (
                <button key={key} type="button" className="menu-item" onClick={() => move(key)}>
                  <Icon name="library" size={16} /> {nameLibrary(t, key)}
                </button>
              ))}
              <NewName label={t("library.new.name")} maxLength={200} onName={move} />
            </>
          );
        }}
      </Menu>
    </>
  );
}

/** A field in a menu for a new name. */
function NewName({ label, maxLength, onName }: { label: string; maxLength: number; onName: (name: string) => void }) {
  const [name, setName] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onName(name.trim());
  };
  return (
    <form className="menu-form" onSubmit={send}>
      <input
        className="field"
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => event.stopPropagation()}
      />
    </form>
  );
}
