import { Icon, type IconName } from "./Icon";

interface IconButtonProps {
  icon: IconName;
  label: string;
  className?: string;
  isOn?: boolean;
  onClick: () => void;
}

/** A button with an icon. `isOn` is set for buttons that can be pressed or not. */
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
