import { showToast } from "../components/toastStore";
import type { Translate } from "../i18n";

/** Copy a text to the clipboard, and show a toast; another one if the browser forbids it. */
export async function copyText(text: string, t: Translate): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(t("conversation.copied"), undefined, 2);
  } catch {
    showToast(t("conversation.copyRefused"));
  }
}
