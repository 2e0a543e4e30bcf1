import { useEffect, useState } from "react";
import { Link } from "wouter";
import { server, unwrap } from "../../api/client";
import { Icon } from "../../components/Icon";
import { useTranslate } from "../../i18n";
import { preferencesStore } from "../../settings/preferences";
import { useStore } from "../../state/store";

/** Switches for the personal details that go with a question, and the chosen persona. */
export function PersonalOptions() {
  const t = useTranslate();
  const { location, sendLocation, aboutMe, sendAboutMe, persona } = useStore(preferencesStore);
  const personaName = usePersonaName(persona);
  const change = (made: { sendLocation: boolean } | { sendAboutMe: boolean }) =>
    preferencesStore.set((now) => ({ ...now, ...made }));
  return (
    <span className="personal">
      {location.trim() && (
        <button
          type="button"
          className="icon-button"
          aria-pressed={sendLocation}
          aria-label={t("conversation.sendLocation")}
          title={t(sendLocation ? "conversation.sendLocation.on" : "conversation.sendLocation.off", { location })}
          onClick={() => change({ sendLocation: !sendLocation })}
        >
          <Icon name="place" size={16} />
        </button>
      )}
      {aboutMe.trim() && (
        <button
          type="button"
          className="icon-button"
          aria-pressed={sendAboutMe}
          aria-label={t("conversation.sendAboutMe")}
          title={t(sendAboutMe ? "conversation.sendAboutMe.on" : "conversation.sendAboutMe.off")}
          onClick={() => change({ sendAboutMe: !sendAboutMe })}
        >
          <Icon name="person" size={16} />
        </button>
      )}
      {personaName && (
        <Link to="/settings" className="personal-model" title={t("conversation.persona", { persona: personaName })}>
          {personaName}
        </Link>
      )}
    </span>
  );
}

/** Return the name of a persona; "" while it is not known. */
function usePersonaName(persona: string): string {
  const [name, setName] = useState("");
  useEffect(() => {
    setName("");
    if (!persona) return;
    let isGone = false;
    server.GET("/api/personas/{persona}", { params: { path: { persona } } }).then(
      (answer) => !isGone && setName(unwrap(answer).name),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [persona]);
  return name;
}
