import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Fault } from "../api/shapes";
import { Icon } from "../look/Icon";
import { Trouble } from "../look/Trouble";
import { useWords } from "../words";
import type { Document, Source } from "./source";

/** A source that cannot be shown yet, or at all: what is the matter, and what to do. */
export function State({ source, again }: { source: Exclude<Source, { is: "there" }>; again: () => void }) {
  const say = useWords();
  switch (source.is) {
    case "loading":
      return <Skeleton label={say("viewer.loading")} />;
    case "waiting":
      return (
        <Told title={say("viewer.reading")} hint={say("viewer.reading.hint")}>
          <span className="spinner" aria-hidden="true" />
        </Told>
      );
    case "failed":
      return (
        <div className="viewer-state">
          <Trouble fault={failing(source.document, say("viewer.failed"))}>
            <Link className="button" to="/library">
              {say("viewer.toLibrary")}
            </Link>
          </Trouble>
        </div>
      );
    case "trouble":
      if (source.problem.status === 404) {
        return (
          <Told title={say("viewer.gone")} hint={say("viewer.gone.hint")}>
            <Icon name="remove" />
          </Told>
        );
      }
      return (
        <div className="viewer-state">
          <Trouble fault={source.problem}>
            <button type="button" className="button" onClick={again}>
              {say("viewer.again")}
            </button>
          </Trouble>
        </div>
      );
  }
}

/** Why a document could not be read, by its code where we have words of our own for it. */
function failing({ error, error_code: code }: Document, otherwise: string): Fault {
  return { code, message: error || otherwise, hint: "" };
}

function Told({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <div className="empty" role="status">
      {children}
      <p>{title}</p>
      <p className="small">{hint}</p>
    </div>
  );
}

/** Pages before anything is known of them. */
function Skeleton({ label }: { label: string }) {
  return (
    <div className="pages" role="status" aria-label={label}>
      <div className="sheet-skeleton" />
      <div className="sheet-skeleton" />
    </div>
  );
}
