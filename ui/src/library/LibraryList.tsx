import { useId, useState } from "react";
import { accountStore, useMay } from "../account/accountStore";
import { Icon } from "../components/Icon";
import { type MessageKey, useTranslate } from "../i18n";
import { ShareLibraryDialog } from "../sharing/ShareLibraryDialog";
import { useStore } from "../state/store";
import { type Libraries, librariesStore, nameLibrary, WEB } from "./librariesStore";

type Library = Libraries["libraries"][number];

/** What a person may do with a library of somebody else. */
const ACCESS: Record<Library["access"], MessageKey> = {
  reader: "library.access.reader",
  writer: "library.access.writer",
  owner: "library.access.owner",
};

interface LibraryListProps {
  /** The key of the library whose documents are listed; "" for all. */
  chosen: string;
  onChoose: (library: string) => void;
}

/** The libraries of the person and those that others share with them; nothing on a server without accounts. */
export function LibraryList({ chosen, onChoose }: LibraryListProps) {
  const t = useTranslate();
  const { mode } = useStore(accountStore);
  const held = useStore(librariesStore);
  if (mode === "local" || !held) return null;
  const own = held.libraries.filter(({ owner }) => !owner);
  const others = held.libraries.filter(({ owner }) => owner);
  return (
    <>
      <LibraryGroup title={t("library.mine")} libraries={own} chosen={chosen} onChoose={onChoose} />
      <LibraryGroup title={t("library.sharedWithMe")} libraries={others} chosen={chosen} onChoose={onChoose} />
    </>
  );
}

interface LibraryGroupProps extends LibraryListProps {
  title: string;
  libraries: Library[];
}

function LibraryGroup({ title, libraries, chosen, onChoose }: LibraryGroupProps) {
  const heading = useId();
  if (!libraries.length) return null;
  return (
    <section className="libraries" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <ul>
        {libraries.map((library) => (
          <LibraryCard key={library.key} library={library} isChosen={library.key === chosen} onChoose={onChoose} />
        ))}
      </ul>
    </section>
  );
}

interface LibraryCardProps {
  library: Library;
  isChosen: boolean;
  onChoose: (library: string) => void;
}

/** One library: its name, its size, whose it is or whether it is shared, and a button to share it. */
function LibraryCard({ library, isChosen, onChoose }: LibraryCardProps) {
  const t = useTranslate();
  const [isSharing, setSharing] = useState(false);
  const mayWrite = useMay("write");
  const { key, owner, access, shared, documents } = library;
  const name = nameLibrary(t, library.name);
  const facts = [
    owner ? t("library.from", { owner: owner.name }) : "",
    t.count("library.documents", documents),
    owner ? t(ACCESS[access]) : shared ? "" : t("library.private"),
  ];
  return (
    <li className="library-card" data-library={key} data-chosen={isChosen || undefined}>
      <button
        type="button"
        className="library-choose"
        aria-pressed={isChosen}
        onClick={() => onChoose(isChosen ? "" : key)}
      >
        <span className="library-name">{name}</span>
        <span className="soft small">
          {facts.filter(Boolean).join(" · ")}
          {!owner && shared && (
            <>
              {" · "}
              <span className="library-shared">
                <Icon name="people" size={14} /> {t("library.shared")}
              </span>
            </>
          )}
        </span>
      </button>
      {mayWrite && access === "owner" && key !== WEB && (
        <button
          type="button"
          className="icon-button"
          aria-label={t("sharing.library", { name })}
          title={t("sharing.menu")}
          onClick={() => setSharing(true)}
        >
          <Icon name="share" size={16} />
        </button>
      )}
      {isSharing && (
        <ShareLibraryDialog
          library={key}
          name={name}
          onClose={() => setSharing(false)}
          onChanged={() => void librariesStore.load()}
        />
      )}
    </li>
  );
}
