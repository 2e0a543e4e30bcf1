import { type FormEvent, useId, useState } from "react";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { NameField } from "../components/NameField";
import { type Action, useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { Loaded } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import {
  addMember,
  type Group,
  loadDirectory,
  loadGroups,
  makeGroup,
  removeGroup,
  removeMember,
  renameGroup,
} from "./peopleApi";

/** The groups of people, with which libraries can be shared. */
export function GroupsTab() {
  const t = useTranslate();
  const id = useId();
  const loaded = useRequest(loadGroups);
  const people = useRequest(loadDirectory);
  const action = useAction();
  const [name, setName] = useState("");
  const act: Action["run"] = async (request) => {
    const isDone = await action.run(request);
    if (isDone) loaded.retry();
    return isDone;
  };
  const make = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() && (await act(() => makeGroup(name.trim())))) setName("");
  };
  return (
    <section aria-labelledby={`${id}title`}>
      <h2 id={`${id}title`} className="hidden">
        {t("people.tab.groups")}
      </h2>
      <p className="soft people-about">{t("people.groups.about")}</p>
      <form className="people-new" onSubmit={make}>
        <input
          className="field"
          maxLength={100}
          aria-label={t("people.group.name")}
          placeholder={t("people.group.name")}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button" disabled={action.isBusy || !name.trim()}>
          <Icon name="add" size={16} />
          {t("people.group.make")}
        </button>
      </form>
      {action.problem && <ErrorMessage fault={action.problem} />}
      <Loaded loaded={loaded}>
        {(groups) => (
          <>
            {!groups.length && <p className="soft people-none">{t("people.groups.none")}</p>}
            <ul className="people-groups" aria-label={t("people.tab.groups")}>
              {groups.map((group) => (
                <GroupRow
                  key={group.id}
                  group={group}
                  people={people.value?.people ?? []}
                  isBusy={action.isBusy}
                  act={act}
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  );
}

interface GroupRowProps {
  group: Group;
  people: { id: string; name: string }[];
  isBusy: boolean;
  act: Action["run"];
}

/** A group: its name, its members, and who can be added. */
function GroupRow({ group, people, isBusy, act }: GroupRowProps) {
  const t = useTranslate();
  const heading = useId();
  const [isNaming, setNaming] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const { id, name, members } = group;
  const others = people.filter((each) => !members.some((member) => member.id === each.id));
  return (
    <li className="people-group" aria-labelledby={heading}>
      <div className="people-group-head">
        {isNaming ? (
          <NameField
            name={name}
            label={t("people.group.name")}
            onDone={(given) => {
              setNaming(false);
              if (given) void act(() => renameGroup(id, given));
            }}
          />
        ) : (
          <h3 id={heading}>{name}</h3>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={t("people.group.rename", { name })}
          title={t("people.group.rename", { name })}
          onClick={() => setNaming(true)}
        >
          <Icon name="edit" size={16} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t("people.group.remove", { name })}
          title={t("people.group.remove", { name })}
          onClick={() => setRemoving(true)}
        >
          <Icon name="remove" size={16} />
        </button>
      </div>
      <ul className="people-members" aria-label={t("people.group.members", { name })}>
        {members.map((member) => (
          <li key={member.id} className="badge">
            {member.name}
            <button
              type="button"
              className="icon-button small-button"
              disabled={isBusy}
              aria-label={t("people.group.leave", { name: member.name, group: name })}
              onClick={() => act(() => removeMember(id, member.id))}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
        {others.length > 0 && (
          <li>
            <select
              className="field"
              aria-label={t("people.group.add", { group: name })}
              value=""
              disabled={isBusy}
              onChange={({ target }) => target.value && act(() => addMember(id, target.value))}
            >
              <option value="">{t("people.group.add.person")}</option>
              {others.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </select>
          </li>
        )}
      </ul>
      {isRemoving && (
        <Dialog title={t("people.group.remove", { name })} onClose={() => setRemoving(false)}>
          <p>{t("people.group.remove.about")}</p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setRemoving(false)}>
              {t("settings.cancel")}
            </button>
            <button
              type="button"
              className="button danger"
              onClick={() => {
                setRemoving(false);
                void act(() => removeGroup(id));
              }}
            >
              {t("people.group.remove.do")}
            </button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
