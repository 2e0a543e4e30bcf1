import { useState } from "react";
import { useMay } from "../account/accountStore";
import { Icon } from "../components/Icon";
import { Menu } from "../components/Menu";
import { useTranslate } from "../i18n";
import { WorkspaceForm } from "./WorkspaceForm";
import { openWorkspaceStore, useOpenWorkspace, useWorkspaces } from "./workspacesStore";

/** The open workspace as a button; its menu switches to another one, makes one and changes this one. */
export function WorkspaceMenu() {
  const t = useTranslate();
  const all = useWorkspaces();
  const open = useOpenWorkspace();
  const mayChange = useMay("write");
  const [form, setForm] = useState<"new" | "change" | null>(null);
  if (!all.length && !mayChange) return null;
  const name = open?.name ?? t("workspaces.everything");
  const choices = [{ id: "", name: t("workspaces.everything") }, ...all];
  return (
    <>
      <Menu
        label={t("workspaces.menu", { name })}
        className="workspace-button"
        trigger={
          <>
            <Icon name={open ? "folder" : "library"} size={16} />
            <span className="workspace-name">{name}</span>
            <Icon name="down" size={14} />
          </>
        }
      >
        {(close) => (
          <>
            {choices.map((each) => (
              <button
                key={each.id}
                type="button"
                role="menuitemradio"
                aria-checked={each.id === (open?.id ?? "")}
                className="menu-item"
                onClick={() => {
                  close();
                  openWorkspaceStore.set(each.id);
                }}
              >
                <Icon name={each.id ? "folder" : "library"} size={16} />
                <span className="workspace-name">{each.name}</span>
              </button>
            ))}
            {mayChange && (
              <div className="menu-rest" role="none">
                {open && (
                  <button
                    type="button"
                    role="menuitem"
                    className="menu-item"
                    onClick={() => {
                      close();
                      setForm("change");
                    }}
                  >
                    <Icon name="edit" size={16} />
                    {t("workspaces.change", { name: open.name })}
                  </button>
                )}
                <button
                  type="button"
                  role="menuitem"
                  className="menu-item"
                  onClick={() => {
                    close();
                    setForm("new");
                  }}
                >
                  <Icon name="add" size={16} />
                  {t("workspaces.add")}
                </button>
              </div>
            )}
          </>
        )}
      </Menu>
      {form && <WorkspaceForm workspace={form === "change" ? open : null} onClose={() => setForm(null)} />}
    </>
  );
}
