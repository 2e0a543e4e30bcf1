import { useEffect, useState } from "react";
import { server, unwrap } from "../api/client";
import { scopeStore } from "../conversation/composer/questionOptions";
import { DocumentCard } from "./DocumentCard";
import type { Document } from "./documents";

/** The card of a document that the next question is about; nothing if it cannot be loaded. */
export default function ArrivedDocument({ id, onAsk }: { id: string; onAsk: (question: string) => void }) {
  const [document, setDocument] = useState<Document | null>(null);
  useEffect(() => {
    server.GET("/api/documents/{document}", { params: { path: { document: id } } }).then(
      (answer) => setDocument(unwrap(answer)),
      () => setDocument(null),
    );
  }, [id]);
  const rename = (title: string) =>
    scopeStore.set((now) => now.map((each) => (each.id === id ? { ...each, title } : each)));
  return document && <DocumentCard document={document} onAsk={onAsk} onRenamed={rename} />;
}
