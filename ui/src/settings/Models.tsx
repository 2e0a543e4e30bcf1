import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { ModelField } from "./ModelField";
import { EXTRACTIVE } from "./modelNames";
import { joinSystemModel, preferencesStore, splitSystemModel } from "./preferences";
import { Loaded, Section, Switch } from "./Section";
import { loadModels, type ServerSettings } from "./settingsApi";
import { type Request, useRequest } from "./useRequest";

/** The chat model, the system model and strict mode. */
export function Models({ loaded }: { loaded: Request<ServerSettings> }) {
  const t = useTranslate();
  const chosen = useStore(preferencesStore);
  const known = useRequest(loadModels);
  const change = (to: Partial<typeof chosen>) => preferencesStore.set((now) => ({ ...now, ...to }));

  return (
    <Section title={t("settings.models")} about={t("settings.models.about")}>
      <Loaded loaded={loaded}>
        {(server) => {
          const chat = server.chat_model || EXTRACTIVE;
          const system = server.system_model || chat;
          // If nothing is chosen here, both models are the server's and may differ.
          const isOne = chosen.linkSystemToChat && (chosen.chatModel !== "" || system === chat);
          return (
            <>
              <ModelField
                label={t("settings.chat")}
                about={t("settings.chat.about")}
                value={chosen.chatModel}
                otherwise={chat}
                models={known.value ?? []}
                onChange={(chatModel) => change({ chatModel })}
              />
              <Switch
                label={t("settings.linked")}
                about={t(isOne ? "settings.linked.on" : "settings.linked.off")}
                isOn={chosen.linkSystemToChat}
                onChange={(linkSystemToChat) => change({ linkSystemToChat })}
              />
              <ModelField
                label={t("settings.system")}
                about={t("settings.system.about")}
                value={chosen.linkSystemToChat ? chosen.chatModel : joinSystemModel(chosen)}
                otherwise={chosen.linkSystemToChat ? system : server.system_model || chosen.chatModel || chat}
                models={known.value ?? []}
                isDisabled={chosen.linkSystemToChat}
                onChange={(name) => change(splitSystemModel(name))}
              />
              <Switch
                label={t("settings.strict")}
                about={server.strict ? t("settings.strict.server") : t("settings.strict.about")}
                isOn={chosen.strict || server.strict}
                isDisabled={server.strict}
                onChange={(strict) => change({ strict })}
              />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
