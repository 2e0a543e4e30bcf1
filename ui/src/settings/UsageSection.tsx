import { useWords } from "../words";
import { usage } from "./asking";
import { useLoaded } from "./loaded";
import { Ready, Section } from "./Section";
import { spending } from "./spending";
import { UsagePlot } from "./UsagePlot";

const DAYS = 30;

/** What answers cost in the last thirty days: a plot, the totals, and the table behind. */
export function UsageSection() {
  const say = useWords();
  const loaded = useLoaded(usage);
  const day = new Intl.DateTimeFormat(say.language, { day: "numeric", month: "short", timeZone: "UTC" });
  return (
    <Section title={say("settings.usage")} about={say("settings.usage.about")}>
      <Ready loaded={loaded}>
        {(used) => {
          const { totals } = used;
          const spent = spending(used, DAYS);
          const busy = spent.filter((each) => each.answers || each.input || each.output).reverse();
          if (!busy.length) return <p className="soft">{say("settings.usage.none")}</p>;
          return (
            <>
              <UsagePlot spent={spent} name={(iso) => day.format(new Date(iso))} />
              <dl className="totals">
                {[
                  [say("settings.usage.answers"), totals.answers],
                  [say("settings.usage.requests"), totals.requests],
                  [say("settings.usage.input"), totals.input_tokens],
                  [say("settings.usage.output"), totals.output_tokens],
                ].map(([label, amount]) => (
                  <div key={label}>
                    <dt className="soft small">{label}</dt>
                    <dd>{amount?.toLocaleString(say.language)}</dd>
                  </div>
                ))}
              </dl>
              <details className="usage-table">
                <summary className="soft small">{say("settings.usage.table")}</summary>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{say("settings.usage.day")}</th>
                      <th scope="col">{say("settings.usage.answers")}</th>
                      <th scope="col">{say("settings.usage.input")}</th>
                      <th scope="col">{say("settings.usage.output")}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {busy.map((each) => (
                      <tr key={each.day}>
                        <th scope="row">{day.format(new Date(each.day))}</th>
                        <td>{each.answers.toLocaleString(say.language)}</td>
                        <td>{each.input.toLocaleString(say.language)}</td>
                        <td>{each.output.toLocaleString(say.language)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </details>
            </>
          );
        }}
      </Ready>
    </Section>
  );
}
