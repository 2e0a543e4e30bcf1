import { useId, useState } from "react";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { createRemoval } from "../state/undoableRemoval";
import { PersonaForm } from "./PersonaForm";
import { preferencesStore } from "./preferences";
import { Loaded, Section } from "./Section";
import { loadPersonas, type Persona } from "./settingsApi";
import { useRequest } from "./useRequest";

const personaRemoval = createRemoval((id) => `/api/personas/${id}`);

/** The personas: saved instructions on how to answer. The chosen one goes with every question. */
export function Personas() {
  const t = useTranslate();
  const name = useId();
  const loaded = useRequest(loadPersonas);
  const gone = useStore(personaRemoval.gone);
  const { persona: chosen } = useStore(preferencesStore);
  const [edited, edit] = useState<Persona | "new" | null>(null);

  const choose = (persona: string) => preferencesStore.set((now) => ({ ...now, persona }));
  const remove = ({ id, name }: Persona) => {
    if (chosen === id) choose("");
    personaRemoval.remove([id], t("settings.persona.removed", { name }));
  };

  return (
    <Section title={t("settings.personas")} about={t("settings.personas.about")}>
      <Loaded loaded={loaded}>
        {(all) => {
          const shown = all.filter((each) => !gone.has(each.id));
          return (
            <>
              <ul className="personas" aria-label={t("settings.personas")}>
                {shown.length > 0 && (
                  <li>
                    <label>
                      <input type="radio" name={name} checked={!chosen} onChange={() => choose("")} />
                      <span>{t("settings.persona.none")}</span>
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
                      aria-label={t("settings.persona.edit", { name: each.name })}
                      onClick={() => edit(each)}
                    >
                      <Icon name="edit" size={16} />
                    </button>
                    <button
                      type="button"
                      className="icon-button"
                      aria-label={t("settings.persona.remove", { name: each.name })}
                      onClick={() => remove(each)}
                    >
                      <Icon name="remove" size={16} />
                    </button>
                  </li>
                ))}
              </ul>
              {!shown.length && <p className="soft">{t("settings.persona.empty")}</p>}
              <button type="button" className="button" onClick={() => edit("new")}>
                <Icon name="add" size={16} />
                {t("settings.persona.add")}
              </button>
            </>
          );
        }}
      </Loaded>
      {edited && (
        <PersonaForm persona={edited === "new" ? null : edited} onClose={() => edit(null)} onKept={loaded.retry} />
      )}
    </Section>
  );
}
