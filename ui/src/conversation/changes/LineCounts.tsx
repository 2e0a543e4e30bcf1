import { useTranslate } from "../../i18n";

/** The numbers of added and removed lines; nothing for a file that is only renamed. */
export function LineCounts({ added, removed }: { added: number; removed: number }) {
  const t = useTranslate();
  if (!added && !removed) return null;
  return (
    <span className="line-counts" title={t("changes.counts", { added, removed })}>
      {added > 0 && <span data-kind="added">+{added}</span>}
      {removed > 0 && <span data-kind="removed">−{removed}</span>}
    </span>
  );
}
