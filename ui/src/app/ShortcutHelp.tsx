import { Fragment } from "react";
import { Dialog } from "../components/Dialog";
import { useTranslate } from "../i18n";
import { KEY_NAMES, SHORTCUT_GROUPS } from "./shortcutList";

/** The dialog that lists the keys, by the place where they work. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const t = useTranslate();
  const nameKey = (key: string) => (KEY_NAMES[key] ? t(KEY_NAMES[key]) : key);
  return (
    <Dialog title={t("shell.help")} onClose={onClose}>
      {SHORTCUT_GROUPS.map(({ title, shortcuts }) => (
        <section key={title} className="key-group">
          <h3>{t(title)}</h3>
          <dl className="keys">
            {shortcuts.map(({ chords, means }) => (
              <div key={means}>
                <dt>
                  {chords.map((chord) => (
                    <span key={chord.join()} className="chord">
                      {chord.map((key, place) => (
                        <Fragment key={key}>
                          {place > 0 && "+"}
                          <kbd>{nameKey(key)}</kbd>
                        </Fragment>
                      ))}
                    </span>
                  ))}
                </dt>
                <dd>{t(means)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
