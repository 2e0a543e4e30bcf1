import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Fault } from "../api/types";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import type { Document, LoadedDocument } from "./useDocument";

/** Why a document cannot be shown yet, or at all, and what to do. */
export function DocumentStatus({
  source,
  again,
}: {
  source: Exclude<LoadedDocument, { status: "there" }>;
  again: () => void;
}) {
  const t = useTranslate();
  switch (source.status) {
    case "loading":
      return <Skeleton label={t("viewer.loading")} />;
    case "waiting":
      return (
        <StatusMessage title={t("viewer.reading")} hint={t("viewer.reading.hint")}>
          <span className="spinner" aria-hidden="true" />
        </StatusMessage>
      );
    case "failed":
      return (
        <div className="viewer-state">
          <ErrorMessage fault={makeFault(source.document, t("viewer.failed"))}>
            <Link className="button" to="/library">
              {t("viewer.toLibrary")}
            </Link>
          </ErrorMessage>
        </div>
      );
    case "trouble":
      if (source.problem.status === 404) {
        return (
          <StatusMessage title={t("viewer.gone")} hint={t("viewer.gone.hint")}>
            <Icon name="remove" />
          </StatusMessage>
        );
      }
      return (
        <div className="viewer-state">
          <ErrorMessage fault={source.problem}>
            <button type="button" className="button" onClick={again}>
              {t("viewer.again")}
            </button>
          </ErrorMessage>
        </div>
      );
  }
}

/** Make the error of a document that could not be read. */
function makeFault({ error, error_code: code }: Document, otherwise: string): Fault {
  return { code, message: error || otherwise, hint: "" };
}

function StatusMessage({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <div className="empty" role="status">
      {children}
      <p>{title}</p>
      <p className="small">{hint}</p>
    </div>
  );
}

/** A placeholder for pages. */
function Skeleton({ label }: { label: string }) {
  return (
    <div className="pages" role="status" aria-label={label}>
      <div className="sheet-skeleton" />
      <div className="sheet-skeleton" />
    </div>
  );
}
