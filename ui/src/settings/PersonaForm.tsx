import { type FormEvent, useId, useState } from "react";
import { type Problem, toProblem } from "../api/problem";
import { Dialog } from "../components/Dialog";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { type Persona, savePersona } from "./settingsApi";

interface PersonaFormProps {
  persona: Persona | null;
  onClose: () => void;
  onKept: () => void;
}

/** A dialog that creates or edits a persona. */
export function PersonaForm({ persona, onClose, onKept }: PersonaFormProps) {
  const t = useTranslate();
  const id = useId();
  const [name, setName] = useState(persona?.name ?? "");
  const [instructions, setInstructions] = useState(persona?.instructions ?? "");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const keep = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await savePersona(persona?.id ?? null, { name: name.trim(), instructions: instructions.trim() });
      onKept();
      onClose();
    } catch (error) {
      setProblem(toProblem(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title={persona ? t("settings.persona.change") : t("settings.persona.add")} onClose={onClose}>
      <form className="persona-form" onSubmit={keep}>
        <label className="label" htmlFor={`${id}name`}>
          {t("settings.persona.name")}
        </label>
        <input
          id={`${id}name`}
          className="field"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <label className="label" htmlFor={`${id}says`}>
          {t("settings.persona.instructions")}
        </label>
        <textarea
          id={`${id}says`}
          className="field"
          rows={6}
          maxLength={20_000}
          placeholder={t("settings.persona.example")}
          value={instructions}
          onChange={(event) => setInstructions(event.target.value)}
        />
        {problem && <ErrorMessage fault={problem} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("settings.cancel")}
          </button>
          <button type="submit" className="button main" disabled={isBusy || !name.trim() || !instructions.trim()}>
            {t("settings.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
