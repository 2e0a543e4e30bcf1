import { toast } from "../look/Toasts";
import type { Say } from "../words";

/** Put a text on the clipboard and say so; where the browser forbids it, say that. */
export async function copied(text: string, say: Say): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(say("conversation.copied"), undefined, 2);
  } catch {
    toast(say("conversation.copyRefused"));
  }
}
