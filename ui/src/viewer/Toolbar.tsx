import type { ReactNode } from "react";
import { Icon, type IconName } from "../look/Icon";
import { Menu } from "../look/Menu";
import { useWords } from "../words";
import { IconButton } from "./IconButton";
import { PageBox } from "./PageBox";
import type { Sheet } from "./source";
import { Title } from "./Title";
import { nextStep, STEPS, type Zoom } from "./zoom";

/** Something the toolbar offers, as a button where there is room and in its menu always. */
export interface Act {
  icon: IconName;
  label: string;
  run?: () => void;
  href?: string;
  /** It has a place of its own in the toolbar, but where that is narrow, or very narrow. */
  spare?: "narrow" | "very-narrow";
}

interface ToolbarProps {
  title: string;
  page: number;
  sheets: Sheet[];
  citation: { place: number; count: number } | null;
  zoom: Zoom;
  scale: number;
  isPanel: boolean;
  isFinding: boolean;
  acts: Act[];
  lead?: ReactNode;
  onPage: (page: number) => void;
  onStep: (by: 1 | -1) => void;
  onZoom: (zoom: Zoom) => void;
  onPanel: () => void;
  onFind: () => void;
  onClose: (() => void) | null;
}

/** One calm line over the source: what it is, where one is in it, and what can be done. */
export function Toolbar(props: ToolbarProps) {
  const { title, page, sheets, citation, isPanel, isFinding, acts, lead } = props;
  const say = useWords();
  const zoom = (by: 1 | -1) => () => props.onZoom(nextStep(props.scale, by));
  const offered: Act[] = [
    { icon: "outline", label: say("viewer.panel"), run: props.onPanel, spare: "very-narrow" },
    { icon: "search", label: say("viewer.find"), run: props.onFind, spare: "very-narrow" },
    { icon: "add", label: say("viewer.larger"), run: zoom(1), spare: "narrow" },
    { icon: "minus", label: say("viewer.smaller"), run: zoom(-1), spare: "narrow" },
    { icon: "fit", label: say("viewer.fitWidth"), run: () => props.onZoom("width"), spare: "narrow" },
    ...acts,
  ];
  return (
    <header className="viewer-bar">
      <IconButton
        icon="outline"
        className="viewer-roomy"
        label={say("viewer.panel")}
        isOn={isPanel}
        onClick={props.onPanel}
      />
      <h2>
        <Title text={title} />
      </h2>
      {lead}
      {sheets.length > 0 && <PageBox page={page} sheets={sheets} onGo={props.onPage} />}
      {citation && citation.count > 0 && (
        <div className="viewer-bar-group">
          <IconButton icon="back" label={say("keys.previous")} onClick={() => props.onStep(-1)} />
          <span className="viewer-bar-count">
            {citation.place ? say("viewer.ofCitations", citation) : say.count("viewer.citations", citation.count)}
          </span>
          <IconButton icon="forward" label={say("keys.next")} onClick={() => props.onStep(1)} />
        </div>
      )}
      <Zooming zoom={props.zoom} scale={props.scale} onZoom={props.onZoom} />
      <IconButton
        icon="search"
        className="viewer-roomy"
        label={say("viewer.find")}
        isOn={isFinding}
        onClick={props.onFind}
      />
      <div className="viewer-bar-wide">
        {acts.map((act) => (
          <ActButton key={act.label} {...act} />
        ))}
      </div>
      <Menu label={say("viewer.more")} trigger={<Icon name="menu" />} className="icon-button viewer-bar-more">
        {(close) => offered.map((act) => <ActItem key={act.label} act={act} close={close} />)}
      </Menu>
      {props.onClose && <IconButton icon="close" label={say("viewer.close")} onClick={props.onClose} />}
    </header>
  );
}

function Zooming({ zoom, scale, onZoom }: { zoom: Zoom; scale: number; onZoom: (zoom: Zoom) => void }) {
  const say = useWords();
  const shown = new Intl.NumberFormat(say.language, { style: "percent" });
  return (
    <div className="viewer-bar-group viewer-bar-zoom">
      <IconButton icon="minus" label={say("viewer.smaller")} onClick={() => onZoom(nextStep(scale, -1))} />
      <Menu
        label={say("viewer.zoom", { share: shown.format(scale) })}
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
              {each === "width" ? say("viewer.fitWidth") : each === "page" ? say("viewer.fitPage") : shown.format(each)}
            </button>
          ))
        }
      </Menu>
      <IconButton icon="add" label={say("viewer.larger")} onClick={() => onZoom(nextStep(scale, 1))} />
    </div>
  );
}

function ActButton({ icon, label, run, href }: Act) {
  if (!href) return <IconButton icon={icon} label={label} onClick={run ?? (() => {})} />;
  return (
    <a className="icon-button" href={href} target="_blank" rel="noreferrer" aria-label={label} title={label}>
      <Icon name={icon} />
    </a>
  );
}

function ActItem({ act: { icon, label, run, href, spare }, close }: { act: Act; close: () => void }) {
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
