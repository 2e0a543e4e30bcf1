import { useEffect } from "react";
import { useTranslate } from "../i18n";
import { useOpenWorkspace } from "../workspaces/workspacesStore";
import { nameLibrary } from "./librariesStore";

interface WorkspaceFilterProps {
  /** The key of the library whose documents are listed; "" for all. */
  library: string;
  onLibrary: (library: string) => void;
}

/** The libraries of the open workspace, one of which is listed when the workspace is opened, and a way to all. */
export function WorkspaceFilter({ library, onLibrary }: WorkspaceFilterProps) {
  const t = useTranslate();
  const workspace = useOpenWorkspace();
  const keys = workspace?.libraries.map(({ key }) => key) ?? [];
  const names = keys.join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a later choice of the person stays
  useEffect(() => {
    const [first] = keys;
    if (first !== undefined && !keys.includes(library)) onLibrary(first);
  }, [names]);
  if (!workspace || !keys.length) return null;
  return (
    <section className="workspace-filter small" aria-label={t("workspaces.in", { name: workspace.name })}>
      <span className="soft">{t("workspaces.in", { name: workspace.name })}</span>
      {keys.map((key) => (
        <button key={key} type="button" className="plain" aria-pressed={key === library} onClick={() => onLibrary(key)}>
          {nameLibrary(t, key)}
        </button>
      ))}
      <button type="button" className="plain" aria-pressed={!library} onClick={() => onLibrary("")}>
        {t("workspaces.showAll")}
      </button>
    </section>
  );
}
