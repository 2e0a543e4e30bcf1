import { readStorage } from "../state/persistentStore";

const KEY = "pincite.shared";

/** Keep the secret of a link for this tab, so that it can be reloaded; without one, return the secret that was kept. */
export function keepSecret(secret: string): string {
  if (!secret) return readStorage(() => sessionStorage, KEY) ?? "";
  try {
    sessionStorage.setItem(KEY, secret);
  } catch {
    // The storage is forbidden. The link has to be opened again after a reload.
  }
  return secret;
}
