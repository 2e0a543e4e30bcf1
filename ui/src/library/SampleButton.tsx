import { useState } from "react";
import { type Problem, toProblem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import type { Document } from "./documents";
import { addSamples } from "./sampleDocuments";

/** A button that adds the sample documents. `onReady` gets them when they can be asked about. */
export function SampleButton({ onReady }: { onReady?: (added: Document[]) => void }) {
  const t = useTranslate();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const add = async () => {
    setBusy(true);
    setProblem(null);
    try {
      onReady?.(await addSamples(t.language));
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  };

  return (
    <div className="sample">
      <button type="button" className="button" disabled={isBusy} onClick={() => void add()}>
        {isBusy ? <span className="spinner" aria-hidden="true" /> : <Icon name="fileText" size={16} />}
        {t(isBusy ? "library.sample.reading" : "library.sample")}
      </button>
      {problem && <ErrorMessage fault={problem} />}
    </div>
  );
}
