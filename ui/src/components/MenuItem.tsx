import { Icon, type IconName } from "./Icon";

interface MenuItemProps {
  label: string;
  icon?: IconName;
  run: () => void;
  close: () => void;
  isDanger?: boolean;
}

/** An entry of a menu: it closes the menu, then acts. */
export function MenuItem({ label, icon, run, close, isDanger = false }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      className={isDanger ? "menu-item danger" : "menu-item"}
      onClick={() => {
        close();
        run();
      }}
    >
      {icon && <Icon name={icon} size={16} />} {label}
    </button>
  );
}
