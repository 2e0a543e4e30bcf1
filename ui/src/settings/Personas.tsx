import { useId, useState } from "react";
import { Icon } from "../look/Icon";
import { removal } from "../removal";
import { useStore } from "../store";
import { useWords } from "../words";
import { type Persona, personas } from "./asking";
import { useLoaded } from "./loaded";
import { PersonaForm } from "./PersonaForm";
import { preferences } from "./preferences";
import { Ready, Section } from "./Section";

const personaRemoval = removal((id) => `/api/personas/${id}`);

/** Saved instructions on how to answer, and which of them goes with a question by itself. */
export function Personas() {
  const say = useWords();
  const name = useId();
  const loaded = useLoaded(personas);
  const gone = useStore(personaRemoval.gone);
  const { persona: chosen } = useStore(preferences);
  const [edited, edit] = useState<Persona | "new" | null>(null);

  const choose = (persona: string) => preferences.set((now) => ({ ...now, persona }));
  const remove = ({ id, name }: Persona) => {
    if (chosen === id) choose("");
    personaRemoval.remove([id], say("settings.persona.removed", { name }));
  };

  return (
    <Section title={say("settings.personas")} about={say("settings.personas.about")}>
      <Ready loaded={loaded}>
        {(all) => {
          const shown = all.filter((each) => !gone.has(each.id));
          return (
            <>
              <ul className="personas" aria-label={say("settings.personas")}>
                {shown.length > 0 && (
                  <li>
                    <label>
                      <input type="radio" name={name} checked={!chosen} onChange={() => choose("")} />
                      <span>{say("settings.persona.none")}</span>
                    </label>
                  </li>
                )}
                {shown.map((each) => (
                  <li key={each.id}>
                    <label>
                      <input type="radio" name={name} checked={chosen === each.id} onChange={() => choose(each.id)} />
                      <span className="persona-text">
                        {each.name}
                        <span className="persona-says soft small">{each.instructions}</span>
                      </span>
                    </label>
                    <button
                      type="button"
                      className="icon-button"
                      aria-label={say("settings.persona.edit", { name: each.name })}
                      onClick={() => edit(each)}
                    >
                      <Icon name="edit" size={16} />
                    </button>
                    <button
                      type="button"
                      className="icon-button"
                      aria-label={say("settings.persona.remove", { name: each.name })}
                      onClick={() => remove(each)}
                    >
                      <Icon name="remove" size={16} />
                    </button>
                  </li>
                ))}
              </ul>
              {!shown.length && <p className="soft">{say("settings.persona.empty")}</p>}
              <button type="button" className="button" onClick={() => edit("new")}>
                <Icon name="add" size={16} />
                {say("settings.persona.add")}
              </button>
            </>
          );
        }}
      </Ready>
      {edited && (
        <PersonaForm persona={edited === "new" ? null : edited} onClose={() => edit(null)} onKept={loaded.again} />
      )}
    </Section>
  );
}
