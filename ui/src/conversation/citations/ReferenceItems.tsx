import { parseProblem, toProblem } from "../../api/problem";
import { describeError } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { showToast } from "../../components/toastStore";
import { type MessageKey, type Translate, useTranslate } from "../../i18n";
import { copyText } from "../../text/clipboard";

/** The sources of a conversation, or of one of its answers, or one document among them. */
export interface ReferenceScope {
  conversation: string;
  message?: string;
  document?: string;
}

type ReferenceFormat = "bib" | "ris" | "csl" | "txt";

const FILES: [format: ReferenceFormat, label: MessageKey][] = [
  ["bib", "conversation.references.bib"],
  ["ris", "conversation.references.ris"],
  ["csl", "conversation.references.csl"],
];

/** Make the address of a file with references. */
export function makeReferenceAddress(
  { conversation, ...scope }: ReferenceScope,
  format: ReferenceFormat,
  language: string,
): string {
  const query = new URLSearchParams({ format, ...(format === "txt" && { language }), ...scope });
  return `/api/conversations/${encodeURIComponent(conversation)}/export?${query}`;
}

/** Items of a menu that copy references as text or save them as files for other programs. */
export function ReferenceItems({ scope, close }: { scope: ReferenceScope; close: () => void }) {
  const t = useTranslate();
  return (
    <>
      <button
        type="button"
        role="menuitem"
        className="menu-item"
        onClick={() => {
          close();
          void copyReferences(scope, t);
        }}
      >
        <Icon name="copy" size={16} /> {t("conversation.references.copy")}
      </button>
      {FILES.map(([format, label]) => (
        <a
          key={format}
          role="menuitem"
          className="menu-item"
          href={makeReferenceAddress(scope, format, t.language)}
          download
          onClick={close}
        >
          <Icon name="export" size={16} /> {t(label)}
        </a>
      ))}
    </>
  );
}

/** Copy references as lines of text. */
async function copyReferences(scope: ReferenceScope, t: Translate): Promise<void> {
  try {
    const response = await fetch(makeReferenceAddress(scope, "txt", t.language));
    if (!response.ok) throw parseProblem(response.status, await response.json().catch(() => null));
    await copyText((await response.text()).trimEnd(), t);
  } catch (error) {
    showToast(describeError(t, toProblem(error)).message);
  }
}
