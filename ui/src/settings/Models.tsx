import { useStore } from "../store";
import { useWords } from "../words";
import { models, type ServerSettings } from "./asking";
import { type Loaded, useLoaded } from "./loaded";
import { ModelField } from "./ModelField";
import { preferences, systemModelFrom, systemModelOf } from "./preferences";
import { Ready, Section, Switch } from "./Section";

/** Who answers, who does the small work, and how strict they are. */
export function Models({ loaded }: { loaded: Loaded<ServerSettings> }) {
  const say = useWords();
  const chosen = useStore(preferences);
  const known = useLoaded(models);
  const change = (to: Partial<typeof chosen>) => preferences.set((now) => ({ ...now, ...to }));

  return (
    <Section title={say("settings.models")} about={say("settings.models.about")}>
      <Ready loaded={loaded}>
        {(server) => {
          const chat = server.chat_model || "extractive";
          const system = server.system_model || chat;
          // Where nothing is chosen here, both are the server's, and need not be the same.
          const isOne = chosen.linkSystemToChat && (chosen.chatModel !== "" || system === chat);
          return (
            <>
              <ModelField
                label={say("settings.chat")}
                about={say("settings.chat.about")}
                value={chosen.chatModel}
                otherwise={chat}
                models={known.value ?? []}
                onChange={(chatModel) => change({ chatModel })}
              />
              <Switch
                label={say("settings.linked")}
                about={say(isOne ? "settings.linked.on" : "settings.linked.off")}
                isOn={chosen.linkSystemToChat}
                onChange={(linkSystemToChat) => change({ linkSystemToChat })}
              />
              <ModelField
                label={say("settings.system")}
                about={say("settings.system.about")}
                value={chosen.linkSystemToChat ? chosen.chatModel : systemModelOf(chosen)}
                otherwise={chosen.linkSystemToChat ? system : server.system_model || chosen.chatModel || chat}
                models={known.value ?? []}
                isDisabled={chosen.linkSystemToChat}
                onChange={(name) => change(systemModelFrom(name))}
              />
              <Switch
                label={say("settings.strict")}
                about={server.strict ? say("settings.strict.server") : say("settings.strict.about")}
                isOn={chosen.strict || server.strict}
                isDisabled={server.strict}
                onChange={(strict) => change({ strict })}
              />
            </>
          );
        }}
      </Ready>
    </Section>
  );
}
