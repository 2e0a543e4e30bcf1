import { type FormEvent, useCallback, useId, useState } from "react";
import { accountStore } from "../account/accountStore";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { type Action, useAction } from "../components/useAction";
import { type MessageKey, type Translate, useTranslate } from "../i18n";
import { Loaded } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import { useStore } from "../state/store";
import {
  type Access,
  type Directory,
  loadDirectory,
  loadShares,
  type Receiver,
  type Share,
  shareLibrary,
  unshareLibrary,
} from "./sharingApi";
import "./sharing.css";

/** What each access means, in the order of how much it allows. */
const ACCESSES: { access: Access; label: MessageKey }[] = [
  { access: "reader", label: "sharing.access.reader" },
  { access: "writer", label: "sharing.access.writer" },
  { access: "owner", label: "sharing.access.owner" },
];

interface ShareLibraryDialogProps {
  /** The key of the library, and its name as people read it. */
  library: string;
  name: string;
  onClose: () => void;
  onChanged: () => void;
}

/** A dialog that shares a library with people, groups or everyone, and takes shares back. */
export function ShareLibraryDialog({ library, name, onClose, onChanged }: ShareLibraryDialogProps) {
  const t = useTranslate();
  const load = useCallback((signal: AbortSignal) => loadShares(library, signal), [library]);
  const loaded = useRequest(load);
  const directory = useRequest(loadDirectory);
  const action = useAction();
  const act: Action["run"] = async (request) => {
    const isDone = await action.run(request);
    if (isDone) {
      loaded.retry();
      onChanged();
    }
    return isDone;
  };
  return (
    <Dialog title={t("sharing.library", { name })} className="dialog sharing" onClose={onClose}>
      <Loaded loaded={directory}>
        {(found) => (
          <ShareForm directory={found} shares={loaded.value ?? []} library={library} isBusy={action.isBusy} act={act} />
        )}
      </Loaded>
      {action.problem && <ErrorMessage fault={action.problem} />}
      <section aria-label={t("sharing.with")}>
        <h3>{t("sharing.with")}</h3>
        <Loaded loaded={loaded}>
          {(shares) =>
            shares.length ? (
              <ul className="shares">
                {shares.map((share) => (
                  <ShareRow key={share.id} share={share} library={library} isBusy={action.isBusy} act={act} />
                ))}
              </ul>
            ) : (
              <p className="soft">{t("sharing.nobody")}</p>
            )
          }
        </Loaded>
      </section>
    </Dialog>
  );
}

interface ShareFormProps {
  directory: Directory;
  shares: Share[];
  library: string;
  isBusy: boolean;
  act: Action["run"];
}

/** Chooses with whom to share and what they may do. Those who have the library already are not offered. */
function ShareForm({ directory, shares, library, isBusy, act }: ShareFormProps) {
  const t = useTranslate();
  const id = useId();
  const [who, setWho] = useState("");
  const [access, setAccess] = useState<Access>("reader");
  const { person: self } = useStore(accountStore);
  const others = directory.people.filter(({ id }) => id !== self?.id);
  const people = others.filter((each) => !shares.some(({ person }) => person?.id === each.id));
  const groups = directory.groups.filter((each) => !shares.some(({ group }) => group?.id === each.id));
  const isOpen = shares.some(({ everyone }) => everyone);
  const share = async (event: FormEvent) => {
    event.preventDefault();
    const receiver = readReceiver(who);
    if (receiver && (await act(() => shareLibrary(library, receiver, access)))) setWho("");
  };
  return (
    <form className="share-form" onSubmit={share}>
      <label htmlFor={`${id}who`}>
        <span className="label">{t("sharing.who")}</span>
        <select id={`${id}who`} className="field" value={who} onChange={({ target }) => setWho(target.value)}>
          <option value="">{t("sharing.who.choose")}</option>
          {!isOpen && <option value="everyone">{t("sharing.everyone")}</option>}
          {groups.length > 0 && (
            <optgroup label={t("sharing.groups")}>
              {groups.map((each) => (
                <option key={each.id} value={`group ${each.id}`}>
                  {each.name}
                </option>
              ))}
            </optgroup>
          )}
          {people.length > 0 && (
            <optgroup label={t("sharing.people")}>
              {people.map((each) => (
                <option key={each.id} value={`person ${each.id}`}>
                  {each.name}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      <label htmlFor={`${id}access`}>
        <span className="label">{t("sharing.access")}</span>
        <AccessSelect id={`${id}access`} access={access} onAccess={setAccess} />
      </label>
      <button type="submit" className="button main" disabled={!who || isBusy}>
        {t("sharing.share")}
      </button>
    </form>
  );
}

interface AccessSelectProps {
  id?: string;
  label?: string;
  access: Access;
  isDisabled?: boolean;
  onAccess: (access: Access) => void;
}

function AccessSelect({ id, label, access, isDisabled = false, onAccess }: AccessSelectProps) {
  const t = useTranslate();
  return (
    <select
      id={id}
      className="field"
      aria-label={label}
      value={access}
      disabled={isDisabled}
      onChange={({ target }) => onAccess(target.value as Access)}
    >
      {ACCESSES.map((each) => (
        <option key={each.access} value={each.access}>
          {t(each.label)}
        </option>
      ))}
    </select>
  );
}

interface ShareRowProps {
  share: Share;
  library: string;
  isBusy: boolean;
  act: Action["run"];
}

/** One share: with whom, what they may do, and a button that takes it back. */
function ShareRow({ share, library, isBusy, act }: ShareRowProps) {
  const t = useTranslate();
  const name = nameReceiver(t, share);
  const receiver = getReceiver(share);
  return (
    <li>
      <Icon name={share.everyone ? "web" : share.group ? "people" : "person"} size={16} />
      <span className="share-name">
        {name}
        {share.group && <span className="soft small">{t("sharing.group")}</span>}
      </span>
      <AccessSelect
        label={t("sharing.access.of", { name })}
        access={share.access}
        isDisabled={isBusy}
        onAccess={(access) => act(() => shareLibrary(library, receiver, access))}
      />
      <button
        type="button"
        className="icon-button"
        disabled={isBusy}
        aria-label={t("sharing.takeBack.from", { name })}
        title={t("sharing.takeBack.from", { name })}
        onClick={() => act(() => unshareLibrary(library, share.id))}
      >
        <Icon name="close" size={16} />
      </button>
    </li>
  );
}

function nameReceiver(t: Translate, { person, group }: Share): string {
  return person?.name ?? group?.name ?? t("sharing.everyone");
}

function getReceiver({ person, group }: Share): Receiver {
  if (person) return { person: person.id };
  return group ? { group: group.id } : { everyone: true };
}

/** Read the value of an option: "everyone", "person ID" or "group ID". */
function readReceiver(value: string): Receiver | null {
  if (value === "everyone") return { everyone: true };
  const [kind, id = ""] = value.split(" ", 2);
  if (kind === "person") return { person: id };
  return kind === "group" ? { group: id } : null;
}
