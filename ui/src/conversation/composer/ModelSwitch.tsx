import { useEffect } from "react";
import { Link } from "wouter";
import { useMay } from "../../account/accountStore";
import { toProblem } from "../../api/problem";
import { describeError } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { Menu } from "../../components/Menu";
import { showToast } from "../../components/toastStore";
import { useTranslate } from "../../i18n";
import { adoptModel, foundServers, useLacksModel } from "../../settings/foundServers";
import { EXTRACTIVE } from "../../settings/modelNames";
import { nameModel } from "../../settings/modelSetupApi";
import { preferencesStore } from "../../settings/preferences";
import { useStore } from "../../state/store";
import { choicesStore, findChoice, type ModelChoice, refreshChoices } from "./modelChoices";

/** At most so many found models are listed; the settings have the others. */
const MOST_FOUND = 5;

/** The menu that chooses the model of the next question, and whether its answer is strict. This browser remembers it. */
export function ModelSwitch() {
  const t = useTranslate();
  const { chatModel, strict } = useStore(preferencesStore);
  const choices = useStore(choicesStore);
  useEffect(() => {
    if (!choicesStore.get()) refreshChoices();
  }, []);
  const choice = findChoice(choices, chatModel);
  const isStrict = strict || choices?.strict === true;
  const name = useModelTitle(choice, chatModel);
  return (
    <Menu
      label={t(isStrict ? "conversation.modelSwitch.strict" : "conversation.modelSwitch", { model: name })}
      className="composer-choice model-switch"
      trigger={
        <>
          <Icon name={isStrict ? "strict" : "model"} size={16} />
          <span>{name}</span>
          <Icon name="down" size={14} />
        </>
      }
    >
      {(close) => <ModelMenu close={close} />}
    </Menu>
  );
}

/** Name a model as the switch shows it. */
function useModelTitle(choice: ModelChoice | null, chosen: string): string {
  const t = useTranslate();
  if (choice) return choice.name === EXTRACTIVE ? t("conversation.modelSwitch.none") : choice.title;
  return chosen ? chosen.slice(chosen.indexOf(":") + 1) : t("conversation.modelSwitch.model");
}

function ModelMenu({ close }: { close: () => void }) {
  const t = useTranslate();
  const { chatModel, strict } = useStore(preferencesStore);
  const choices = useStore(choicesStore);
  const maySet = useMay("admin");
  const lacksModel = useLacksModel();
  useEffect(refreshChoices, []);
  const models = choices?.models ?? [];
  const isUnknown = chatModel !== "" && choices !== null && !findChoice(choices, chatModel);
  const choose = (name: string) => {
    preferencesStore.set((now) => ({ ...now, chatModel: name }));
    close();
  };
  return (
    <>
      {isUnknown && (
        <button
          type="button"
          role="menuitemradio"
          aria-checked="true"
          className="menu-item focus-mode"
          onClick={() => choose(chatModel)}
        >
          <span>
            <span className="focus-name">{chatModel}</span>
            <span className="focus-means">{t("conversation.modelSwitch.unknown")}</span>
          </span>
          <Icon name="check" size={16} />
        </button>
      )}
      {models.map((each) => {
        const isChosen = chatModel ? each.name === chatModel : each.is_default;
        const isNone = each.name === EXTRACTIVE;
        return (
          <button
            key={each.name}
            type="button"
            role="menuitemradio"
            aria-checked={isChosen}
            className="menu-item focus-mode"
            // The server's own choice is not fixed: it may become another one.
            onClick={() => choose(each.is_default ? "" : each.name)}
          >
            <span>
              <span className="focus-name">{isNone ? t("conversation.modelSwitch.none") : each.title}</span>
              <span className="focus-means">{isNone ? t("conversation.modelSwitch.none.means") : each.provider}</span>
            </span>
            {isChosen && <Icon name="check" size={16} />}
          </button>
        );
      })}
      {lacksModel && <FoundModels close={close} />}
      <button
        type="button"
        role="menuitemcheckbox"
        aria-checked={strict || choices?.strict === true}
        aria-disabled={choices?.strict === true}
        className="menu-item focus-mode strict-switch"
        onClick={() => {
          if (choices?.strict) return;
          preferencesStore.set((now) => ({ ...now, strict: !now.strict }));
        }}
      >
        <Icon name="strict" />
        <span>
          <span className="focus-name">{t("settings.strict")}</span>
          <span className="focus-means">{t(choices?.strict ? "settings.strict.server" : "settings.strict.about")}</span>
        </span>
        {(strict || choices?.strict) && <Icon name="check" size={16} />}
      </button>
      {maySet && (
        <Link to="/settings" role="menuitem" className="menu-item focus-settings" onClick={close}>
          <Icon name="settings" />
          {t("conversation.modelSwitch.setup")}
        </Link>
      )}
    </>
  );
}

/** The models of the servers on this machine; a press adds one and chooses it. */
function FoundModels({ close }: { close: () => void }) {
  const t = useTranslate();
  const servers = useStore(foundServers);
  useEffect(foundServers.follow, []);
  const use = async (model: string) => {
    close();
    try {
      await adoptModel(t, model);
    } catch (error) {
      const { message, hint } = describeError(t, toProblem(error));
      showToast(`${message} ${hint}`.trim());
    }
  };
  const found = servers.flatMap(({ title, models }) => models.map((model) => ({ title, model })));
  return found.slice(0, MOST_FOUND).map(({ title, model }) => (
    <button key={model} type="button" role="menuitem" className="menu-item focus-mode" onClick={() => void use(model)}>
      <span>
        <span className="focus-name">{nameModel(model)}</span>
        <span className="focus-means">{t("conversation.modelSwitch.found", { server: title })}</span>
      </span>
    </button>
  ));
}
