import { type FormEvent, useId, useState } from "react";
import { asProblem, type Problem } from "../api/problem";
import { Dialog } from "../look/Dialog";
import { Trouble } from "../look/Trouble";
import { useWords } from "../words";
import { keepPersona, type Persona } from "./asking";

interface PersonaFormProps {
  persona: Persona | null;
  onClose: () => void;
  onKept: () => void;
}

/** A window to write a persona, or to change one. */
export function PersonaForm({ persona, onClose, onKept }: PersonaFormProps) {
  const say = useWords();
  const id = useId();
  const [name, setName] = useState(persona?.name ?? "");
  const [instructions, setInstructions] = useState(persona?.instructions ?? "");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const keep = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await keepPersona(persona?.id ?? null, { name: name.trim(), instructions: instructions.trim() });
      onKept();
      onClose();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title={persona ? say("settings.persona.change") : say("settings.persona.add")} onClose={onClose}>
      <form className="persona-form" onSubmit={keep}>
        <label className="label" htmlFor={`${id}name`}>
          {say("settings.persona.name")}
        </label>
        <input
          id={`${id}name`}
          className="field"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <label className="label" htmlFor={`${id}says`}>
          {say("settings.persona.instructions")}
        </label>
        <textarea
          id={`${id}says`}
          className="field"
          rows={6}
          maxLength={20_000}
          placeholder={say("settings.persona.example")}
          value={instructions}
          onChange={(event) => setInstructions(event.target.value)}
        />
        {problem && <Trouble fault={problem} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {say("settings.cancel")}
          </button>
          <button type="submit" className="button main" disabled={isBusy || !name.trim() || !instructions.trim()}>
            {say("settings.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
