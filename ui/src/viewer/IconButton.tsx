import { Icon, type IconName } from "../look/Icon";

/** A button that is an icon; `isOn` where it is pressed or not. */
export function IconButton(props: { icon: IconName; label: string; isOn?: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.isOn}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}
