import { useTranslate } from "../i18n";
import { makeFragmentLink } from "../text/textFragments";
import { Icon } from "./Icon";

/** A link to the page on the web, at the quoted words. Beside a title only the arrow is shown. */
export function LivePageLink({ url, quote, title }: { url: string; quote: string; title?: string }) {
  const t = useTranslate();
  const name = title === undefined ? t("viewer.live") : t("conversation.live", { title });
  return (
    <a
      className="live"
      href={makeFragmentLink(url, quote)}
      target="_blank"
      rel="noreferrer"
      aria-label={name}
      title={name}
    >
      {title === undefined && t("viewer.live")}
      <Icon name="open" size={14} />
    </a>
  );
}
