import { themeStore } from "../app/theme";
import { chosenLanguage, useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { Choice, Section } from "./Section";

/** The theme and the language of the page. */
export function Appearance() {
  const t = useTranslate();
  return (
    <Section title={t("settings.look")}>
      <Choice
        label={t("settings.theme")}
        value={useStore(themeStore)}
        options={[
          { value: "light", label: t("settings.theme.light") },
          { value: "dark", label: t("settings.theme.dark") },
          { value: "system", label: t("settings.system.own") },
        ]}
        onChange={themeStore.set}
      />
      <Choice
        label={t("settings.language")}
        value={useStore(chosenLanguage)}
        options={[
          { value: "en", label: t("settings.language.en") },
          { value: "fr", label: t("settings.language.fr") },
          { value: "system", label: t("settings.browser.own") },
        ]}
        onChange={chosenLanguage.set}
      />
    </Section>
  );
}
