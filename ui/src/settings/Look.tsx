import { useStore } from "../store";
import { theme } from "../theme";
import { chosenLanguage, useWords } from "../words";
import { Choice, Section } from "./Section";

/** How the page looks, and in which language it speaks. */
export function Look() {
  const say = useWords();
  return (
    <Section title={say("settings.look")}>
      <Choice
        label={say("settings.theme")}
        value={useStore(theme)}
        options={[
          { value: "light", label: say("settings.theme.light") },
          { value: "dark", label: say("settings.theme.dark") },
          { value: "system", label: say("settings.system.own") },
        ]}
        onChange={theme.set}
      />
      <Choice
        label={say("settings.language")}
        value={useStore(chosenLanguage)}
        options={[
          { value: "en", label: say("settings.language.en") },
          { value: "fr", label: say("settings.language.fr") },
          { value: "system", label: say("settings.browser.own") },
        ]}
        onChange={chosenLanguage.set}
      />
    </Section>
  );
}
