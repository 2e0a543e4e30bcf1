import { type FormEvent, useEffect, useId, useState } from "react";
import { type Problem, toProblem } from "../api/problem";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { librariesStore, nameLibrary, WEB } from "../library/librariesStore";
import { useStore } from "../state/store";
import { openWorkspaceStore, type Workspace, workspaceRemoval, workspacesStore } from "./workspacesStore";

/** A dialog that creates a workspace, or changes and deletes one. */
export function WorkspaceForm({ workspace, onClose }: { workspace: Workspace | null; onClose: () => void }) {
  const t = useTranslate();
  const id = useId();
  const libraries = useStore(librariesStore)?.libraries.filter(({ key }) => key !== WEB) ?? [];
  const [name, setName] = useState(workspace?.name ?? "");
  const [instructions, setInstructions] = useState(workspace?.instructions ?? "");
  const [chosen, setChosen] = useState(() => new Set(workspace?.libraries.map(({ key }) => key)));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  useEffect(() => void librariesStore.load(), []);

  const keep = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { name: name.trim(), instructions: instructions.trim(), libraries: [...chosen] };
      const saved = await workspacesStore.save(workspace?.id ?? null, body);
      openWorkspaceStore.set(saved.id);
      onClose();
      // The dialog is gone after the next drawing.
      requestAnimationFrame(() => document.getElementById("ask")?.focus());
    } catch (error) {
      setProblem(toProblem(error));
      setBusy(false);
    }
  };

  const remove = () => {
    if (!workspace) return;
    openWorkspaceStore.set("");
    workspaceRemoval.remove([workspace.id], t("workspaces.removed", { name: workspace.name }));
    onClose();
  };

  const toggle = (key: string) =>
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });

  return (
    <Dialog title={workspace ? t("workspaces.title") : t("workspaces.new")} onClose={onClose}>
      <form className="workspace-form" onSubmit={keep}>
        <label htmlFor={`${id}name`}>{t("workspaces.name")}</label>
        <input
          id={`${id}name`}
          // The dialog focuses the element with this attribute, which React does not write.
          ref={(field) => field?.setAttribute("autofocus", "")}
          className="field"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset aria-describedby={`${id}where`}>
          <legend>{t("workspaces.libraries")}</legend>
          <p id={`${id}where`} className="soft small">
            {t("workspaces.libraries.about")}
          </p>
          {libraries.map(({ key }) => (
            <label key={key} className="workspace-library">
              <input type="checkbox" checked={chosen.has(key)} onChange={() => toggle(key)} />
              <span>{nameLibrary(t, key)}</span>
            </label>
          ))}
        </fieldset>
        <label htmlFor={`${id}says`}>{t("workspaces.instructions")}</label>
        <textarea
          id={`${id}says`}
          className="field"
          rows={4}
          maxLength={20_000}
          placeholder={t("workspaces.instructions.example")}
          value={instructions}
          onChange={(event) => setInstructions(event.target.value)}
        />
        {problem && <ErrorMessage fault={problem} />}
        <div className="dialog-actions">
          {workspace && (
            <button type="button" className="button danger workspace-remove" onClick={remove}>
              {t("workspaces.remove")}
            </button>
          )}
          <button type="button" className="button" onClick={onClose}>
            {t("settings.cancel")}
          </button>
          <button type="submit" className="button main" disabled={isBusy || !name.trim()}>
            {t("settings.save")}
          </button>
        </div>
        {workspace && <p className="soft small">{t("workspaces.remove.about")}</p>}
      </form>
    </Dialog>
  );
}
