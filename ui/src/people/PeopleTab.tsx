import { useCallback, useState } from "react";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { SearchField } from "../components/SearchField";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { Loaded } from "../settings/Section";
import { useRequest } from "../settings/useRequest";
import { PersonRow } from "./PersonRow";
import { loadPeople } from "./peopleApi";

/** From so many people on there is a field to find one. */
const MANY = 8;

/** Everybody with an account on this server. */
export function PeopleTab() {
  const t = useTranslate();
  const [hasGuests, setGuests] = useState(false);
  const load = useCallback((signal: AbortSignal) => loadPeople(hasGuests, signal), [hasGuests]);
  const loaded = useRequest(load);
  const [words, setWords] = useState("");

  const act = (request: () => Promise<unknown>, done?: string) =>
    request().then(
      () => {
        if (done) showToast(done);
        loaded.retry();
      },
      (error: unknown) => {
        const { message, hint } = describeError(t, toProblem(error));
        showToast(`${message} ${hint}`.trim());
      },
    );

  return (
    <section aria-labelledby="people-list">
      <h2 id="people-list" className="hidden">
        {t("people.tab.people")}
      </h2>
      <Loaded loaded={loaded}>
        {({ people, guests }) => {
          const wanted = words.trim().toLocaleLowerCase(t.language);
          const isFound = ({ name, email }: { name: string; email: string }) =>
            `${name}\n${email}`.toLocaleLowerCase(t.language).includes(wanted);
          const shown = people.filter(isFound);
          return (
            <>
              {people.length >= MANY && (
                <search className="people-search">
                  <SearchField label={t("people.search")} words={words} onWords={setWords} />
                </search>
              )}
              <p className="hidden" role="status">
                {t.count("people.count", shown.length)}
              </p>
              {!shown.length && <p className="empty">{t("people.nobody")}</p>}
              <ul className="people-list" aria-label={t("people.tab.people")}>
                {shown.map((person) => (
                  <PersonRow key={person.id} person={person} act={act} />
                ))}
              </ul>
              {guests > 0 && (
                <label className="people-guests">
                  <input type="checkbox" checked={hasGuests} onChange={({ target }) => setGuests(target.checked)} />
                  {t.count("people.guests", guests)}
                </label>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
