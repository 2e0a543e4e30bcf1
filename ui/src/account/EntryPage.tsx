import type { ReactNode } from "react";
import { useDocumentTitle } from "../components/useDocumentTitle";
import "../styles/fields.css";
import "./account.css";

/** A view outside of the page proper: a title and a form, for people who are not signed in. */
export function EntryPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <main className="entry" id="main">
      <div className="entry-inside">
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
