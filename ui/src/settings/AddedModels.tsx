import { useId } from "react";
import { Icon } from "../components/Icon";
import { type Translate, useTranslate } from "../i18n";
import { ModelTrial } from "./ModelTrial";
import { EXTRACTIVE } from "./modelNames";
import { type AddedModel, nameModel, type SetupState } from "./modelSetupApi";
import type { ModelTrialState } from "./useModelTrial";

interface AddedModelsProps {
  state: SetupState;
  isBusy: boolean;
  trial: ModelTrialState;
  onUse: (model: string) => void;
  onRemove: (model: string) => void;
}

/** The models that were added, and which of them answers. */
export function AddedModels({ state, isBusy, trial, onUse, onRemove }: AddedModelsProps) {
  const t = useTranslate();
  const name = useId();
  const chat = state.chat.model;
  const isListed = chat === EXTRACTIVE || state.models.some((each) => each.name === chat);
  const title = (model: string) => {
    const provider = state.providers.find((each) => each.name === model.slice(0, model.indexOf(":")));
    return provider?.title ?? model.slice(0, model.indexOf(":"));
  };
  return (
    <fieldset className="added-models">
      <legend className="label">{t("settings.setup.answers")}</legend>
      <ul className="personas">
        {!isListed && (
          <li>
            <label>
              <input type="radio" name={name} checked readOnly />
              <span className="persona-text">
                {nameModel(chat)} <span className="soft small">{title(chat)}</span>
                <span className="persona-says soft small">{t("settings.setup.fixed")}</span>
              </span>
            </label>
          </li>
        )}
        {state.models.map((each) => (
          <li key={each.name}>
            <label>
              <input
                type="radio"
                name={name}
                checked={each.name === chat}
                disabled={isBusy}
                onChange={() => onUse(each.name)}
              />
              <span className="persona-text">
                {nameModel(each.name)} <span className="soft small">{title(each.name)}</span>
                <span className="persona-says soft small">{describeAbilities(t, each)}</span>
              </span>
            </label>
            <button
              type="button"
              className="button"
              disabled={trial.running !== null}
              aria-label={t("settings.setup.try.named", { model: nameModel(each.name) })}
              onClick={() => void trial.run(each.name)}
            >
              {t("settings.setup.try")}
            </button>
            <button
              type="button"
              className="icon-button"
              disabled={isBusy}
              aria-label={t("settings.setup.remove", { model: nameModel(each.name) })}
              title={t("settings.setup.remove", { model: nameModel(each.name) })}
              onClick={() => onRemove(each.name)}
            >
              <Icon name="remove" size={16} />
            </button>
          </li>
        ))}
        <li>
          <label>
            <input
              type="radio"
              name={name}
              checked={chat === EXTRACTIVE}
              disabled={isBusy}
              onChange={() => onUse(EXTRACTIVE)}
            />
            <span className="persona-text">
              {t("settings.setup.none")}
              <span className="persona-says soft small">{t("settings.setup.none.about")}</span>
            </span>
          </label>
        </li>
      </ul>
      <ModelTrial trial={trial} />
    </fieldset>
  );
}

/** Say in a line what is known about a model. */
export function describeAbilities(t: Translate, { streams, tools, judges }: AddedModel): string {
  if (streams === null && tools === null && judges === null) return t("settings.setup.untried");
  const known = [
    tools === true && t("settings.ability.searches"),
    tools === false && t("settings.ability.searchedFor"),
    judges === true && t("settings.setup.judges"),
    judges === false && t("settings.setup.judges.not"),
    streams === false && t("settings.ability.whole"),
  ];
  return known.filter(Boolean).join(" ");
}
