import { Icon, type IconName } from "../look/Icon";

interface IconButtonProps {
  icon: IconName;
  label: string;
  className?: string;
  isOn?: boolean;
  onClick: () => void;
}

/** A button that is an icon; `isOn` where it is pressed or not. */
export function IconButton({ icon, label, className = "", isOn, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
