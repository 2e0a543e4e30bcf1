/** The secret of a link that works once. It stands after # and leaves the address bar before anything is drawn. */
import { createStore } from "../state/store";

const PATHS = /^\/(join|reset|shared)$/;

/** The secret that was in the address when the view was opened; "" if there was none. */
export const linkSecret = createStore("");

/** Take the secret out of the address of the page, now and when a link is opened in the same tab. */
export function takeLinkSecrets(): void {
  takeLinkSecret();
  window.addEventListener("hashchange", takeLinkSecret);
}

/** Take the secret out of the address, if the view is one that has secrets. */
export function takeLinkSecret(): void {
  const { pathname, search, hash } = location;
  if (!PATHS.test(pathname) || hash.length < 2) return;
  linkSecret.set(hash.slice(1));
  history.replaceState(history.state, "", pathname + search);
}
