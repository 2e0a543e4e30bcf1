import { useEffect, useState } from "react";
import { Link } from "wouter";
import { got, server } from "../api/client";
import { Icon } from "../look/Icon";
import { preferences } from "../settings/preferences";
import { useStore } from "../store";
import { useWords } from "../words";

/** What of the person goes with the question, where it was filled in; and the model and persona if they are chosen. */
export function Personal() {
  const say = useWords();
  const { location, sendLocation, aboutMe, sendAboutMe, chatModel, persona } = useStore(preferences);
  const personaName = usePersona(persona);
  const change = (made: { sendLocation: boolean } | { sendAboutMe: boolean }) =>
    preferences.set((now) => ({ ...now, ...made }));
  return (
    <span className="personal">
      {location.trim() && (
        <button
          type="button"
          className="icon-button"
          aria-pressed={sendLocation}
          aria-label={say("conversation.sendLocation")}
          title={say(sendLocation ? "conversation.sendLocation.on" : "conversation.sendLocation.off", { location })}
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
          aria-label={say("conversation.sendAboutMe")}
          title={say(sendAboutMe ? "conversation.sendAboutMe.on" : "conversation.sendAboutMe.off")}
          onClick={() => change({ sendAboutMe: !sendAboutMe })}
        >
          <Icon name="person" size={16} />
        </button>
      )}
      {chatModel && (
        <Link to="/settings" className="personal-model" title={say("conversation.model", { model: chatModel })}>
          {chatModel}
        </Link>
      )}
      {personaName && (
        <Link to="/settings" className="personal-model" title={say("conversation.persona", { persona: personaName })}>
          {personaName}
        </Link>
      )}
    </span>
  );
}

/** A persona's name, by its id or name; none while it is not known. */
function usePersona(persona: string): string {
  const [name, setName] = useState("");
  useEffect(() => {
    setName("");
    if (!persona) return;
    let isGone = false;
    server.GET("/api/personas/{persona}", { params: { path: { persona } } }).then(
      (answer) => !isGone && setName(got(answer).name),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [persona]);
  return name;
}
