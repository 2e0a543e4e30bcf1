import type { TableRow } from "../api/shapes";

/** Cited rows of a table under their heads, with the table's words on unit and scale. */
export function Rows({ rows }: { rows: readonly TableRow[] }) {
  return tablesOf(rows).map(({ heads, note, lines }) => (
    <div key={`${heads.join()} ${lines.join()}`} className="card-rows">
      <table>
        {heads.some(Boolean) && (
          <thead>
            <tr>
              {numbered(heads).map(([at, head]) => (
                <th key={at} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {lines.map((cells) => (
            <tr key={cells.join()}>
              {numbered(cells).map(([at, cell]) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={at}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {note && <p className="soft small">{note}</p>}
    </div>
  ));
}

interface Drawn {
  heads: string[];
  note: string;
  lines: string[][];
}

/** Rows that follow one another under the same heads are of one table. */
function tablesOf(rows: readonly TableRow[]): Drawn[] {
  const made: Drawn[] = [];
  for (const { heads, cells, note } of rows) {
    const last = made.at(-1);
    if (last && last.note === note && last.heads.join("\n") === heads.join("\n")) last.lines.push(cells);
    else made.push({ heads, note, lines: [cells] });
  }
  return made;
}

function numbered(cells: readonly string[]): [number, string][] {
  return cells.map((cell, at) => [at, cell]);
}
