import { Link, useLocation } from "wouter";
import { Icon, type IconName } from "./look/Icon";
import { type Key, useWords } from "./words";

const ROOMS: { to: string; icon: IconName; label: Key; is: RegExp }[] = [
  { to: "/conversations", icon: "list", label: "shell.conversations", is: /^\/conversations/ },
  { to: "/library", icon: "library", label: "shell.library", is: /^\/(library|d\/)/ },
  { to: "/settings", icon: "settings", label: "shell.settings", is: /^\/settings/ },
];

/** The rooms, at the edge. */
export function Rail() {
  const say = useWords();
  const [path] = useLocation();
  return (
    <nav className="rail" aria-label={say("shell.rooms")}>
      <Link to="/" className="rail-home" aria-label={say("shell.home")} title={say("shell.home")}>
        <img src="/icon.svg" alt="" width="28" height="28" />
      </Link>
      <Link
        to="/"
        className="rail-room"
        title={say("shell.ask")}
        aria-label={say("shell.ask")}
        aria-current={path === "/" || path.startsWith("/c/") ? "page" : undefined}
      >
        <Icon name="ask" />
      </Link>
      {ROOMS.map(({ to, icon, label, is }) => (
        <Link
          key={to}
          to={to}
          className="rail-room"
          title={say(label)}
          aria-label={say(label)}
          aria-current={is.test(path) ? "page" : undefined}
        >
          <Icon name={icon} />
        </Link>
      ))}
    </nav>
  );
}
