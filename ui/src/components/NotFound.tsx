import { Link } from "wouter";
import { useTranslate } from "../i18n";
import { useDocumentTitle } from "./useDocumentTitle";

/** A view that does not exist, or not for this person. */
export function NotFound() {
  const t = useTranslate();
  useDocumentTitle(t("shell.missing"));
  return (
    <main className="main empty" id="main">
      <h1>{t("shell.missing")}</h1>
      <p>{t("shell.missing.hint")}</p>
      <Link to="/" className="button main">
        {t("shell.ask")}
      </Link>
    </main>
  );
}
