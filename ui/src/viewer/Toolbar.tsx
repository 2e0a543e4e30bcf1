import type { ReactNode } from "react";
import { Icon, type IconName } from "../components/Icon";
import { IconButton } from "../components/IconButton";
import { Menu } from "../components/Menu";
import { useTranslate } from "../i18n";
import { PageNumberField } from "./PageNumberField";
import { ViewerTitle } from "./TruncatedTitle";
import type { Sheet } from "./useDocument";
import { getNextStep, STEPS, type Zoom } from "./zoom";

/** An action of the toolbar: a button if there is room, and always an item of its menu. */
export interface ToolbarAction {
  icon: IconName;
  label: string;
  run?: () => void;
  href?: string;
  /** It has its own button unless the toolbar is narrow, or very narrow. */
  spare?: "narrow" | "very-narrow";
}

interface ToolbarProps {
  title: string;
  page: number;
  sheets: Sheet[];
  /** The chosen citation: its number, which is that of its chip, and its place among all. `n` is 0 if none is chosen. */
  citation: { n: number; place: number; count: number } | null;
  zoom: Zoom;
  scale: number;
  /** The name of the panel beside the document. */
  panelLabel: string;
  isPanelOpen: boolean;
  isFinding: boolean;
  actions: ToolbarAction[];
  lead?: ReactNode;
  onPage: (page: number) => void;
  onStep: (by: 1 | -1) => void;
  onZoom: (zoom: Zoom) => void;
  onPanel: () => void;
  /** Opens the search; null if there is none. */
  onFind: (() => void) | null;
  onClose: (() => void) | null;
}

/** The toolbar of a document: its title, the current page, and the actions. */
export function Toolbar(props: ToolbarProps) {
  const { title, page, sheets, citation, panelLabel, isPanelOpen: isPanel, isFinding, actions: acts, lead } = props;
  const t = useTranslate();
  const zoom = (by: 1 | -1) => () => props.onZoom(getNextStep(props.scale, by));
  const offered: ToolbarAction[] = [
    { icon: "outline", label: panelLabel, run: props.onPanel, spare: "very-narrow" },
    ...(props.onFind
      ? [{ icon: "search", label: t("viewer.find"), run: props.onFind, spare: "very-narrow" } as const]
      : []),
    { icon: "add", label: t("viewer.larger"), run: zoom(1), spare: "narrow" },
    { icon: "minus", label: t("viewer.smaller"), run: zoom(-1), spare: "narrow" },
    { icon: "fit", label: t("viewer.fitWidth"), run: () => props.onZoom("width"), spare: "narrow" },
    ...acts,
  ];
  return (
    <header className="viewer-bar">
      <IconButton icon="outline" className="viewer-roomy" label={panelLabel} isOn={isPanel} onClick={props.onPanel} />
      <ViewerTitle text={title} isPage={!props.onClose} />
      {lead}
      {sheets.length > 0 && <PageNumberField page={page} sheets={sheets} onGo={props.onPage} />}
      {citation && citation.count > 0 && (
        <div className="viewer-bar-group">
          <IconButton icon="back" label={t("viewer.previousCitation")} onClick={() => props.onStep(-1)} />
          <span className="viewer-bar-count" title={citation.n ? t("viewer.ofCitations", citation) : undefined}>
            <span className="viewer-count-words">
              {citation.n ? t("viewer.citationNumber", citation) : t.count("viewer.citations", citation.count)}
            </span>
            <span className="if-very-narrow" aria-hidden="true">
              {citation.n || "–"}
            </span>
          </span>
          <IconButton icon="forward" label={t("viewer.nextCitation")} onClick={() => props.onStep(1)} />
        </div>
      )}
      <ZoomControls zoom={props.zoom} scale={props.scale} onZoom={props.onZoom} />
      {props.onFind && (
        <IconButton
          icon="search"
          className="viewer-roomy"
          label={t("viewer.find")}
          isOn={isFinding}
          onClick={props.onFind}
        />
      )}
      <div className="viewer-bar-wide">
        {acts.map((act) => (
          <ActionButton key={act.label} {...act} />
        ))}
      </div>
      <Menu label={t("viewer.more")} trigger={<Icon name="menu" />} className="icon-button viewer-bar-more">
        {(close) => offered.map((act) => <ActionMenuItem key={act.label} act={act} close={close} />)}
      </Menu>
      {props.onClose && <IconButton icon="close" label={t("viewer.close")} onClick={props.onClose} />}
    </header>
  );
}

function ZoomControls({ zoom, scale, onZoom }: { zoom: Zoom; scale: number; onZoom: (zoom: Zoom) => void }) {
  const t = useTranslate();
  const shown = new Intl.NumberFormat(t.language, { style: "percent" });
  return (
    <div className="viewer-bar-group viewer-bar-zoom">
      <IconButton icon="minus" label={t("viewer.smaller")} onClick={() => onZoom(getNextStep(scale, -1))} />
      <Menu
        label={t("viewer.zoom", { share: shown.format(scale) })}
        className="viewer-bar-share"
        trigger={shown.format(scale)}
      >
        {(close) =>
          (["width", "page", ...STEPS] as Zoom[]).map((each) => (
            <button
              key={each}
              type="button"
              role="menuitemradio"
              className="menu-item"
              aria-checked={each === zoom}
              onClick={() => {
                onZoom(each);
                close();
              }}
            >
              {each === "width" ? t("viewer.fitWidth") : each === "page" ? t("viewer.fitPage") : shown.format(each)}
            </button>
          ))
        }
      </Menu>
      <IconButton icon="add" label={t("viewer.larger")} onClick={() => onZoom(getNextStep(scale, 1))} />
    </div>
  );
}

function ActionButton({ icon, label, run, href }: ToolbarAction) {
  if (!href) return <IconButton icon={icon} label={label} onClick={run ?? (() => {})} />;
  return (
    <a className="icon-button" href={href} target="_blank" rel="noreferrer" aria-label={label} title={label}>
      <Icon name={icon} />
    </a>
  );
}

function ActionMenuItem({ act: { icon, label, run, href, spare }, close }: { act: ToolbarAction; close: () => void }) {
  if (href) {
    return (
      <a className="menu-item" role="menuitem" href={href} target="_blank" rel="noreferrer" onClick={close}>
        <Icon name={icon} />
        {label}
      </a>
    );
  }
  return (
    <button
      type="button"
      role="menuitem"
      className={spare ? `menu-item if-${spare}` : "menu-item"}
      onClick={() => {
        close();
        run?.();
      }}
    >
      <Icon name={icon} />
      {label}
    </button>
  );
}
