import type { TableRow } from "../../api/types";

/** The cited rows of a table under their headers, with the table's note on units and scale. */
export function CitedRows({ rows }: { rows: readonly TableRow[] }) {
  return groupByTable(rows).map(({ heads, note, lines }) => (
    <div key={`${heads.join()} ${lines.join()}`} className="card-rows">
      <table>
        {heads.some(Boolean) && (
          <thead>
            <tr>
              {withIndex(heads).map(([at, head]) => (
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
              {withIndex(cells).map(([at, cell]) =>
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

interface CitedTable {
  heads: string[];
  note: string;
  lines: string[][];
}

/** Group consecutive rows with the same headers: they belong to one table. */
function groupByTable(rows: readonly TableRow[]): CitedTable[] {
  const made: CitedTable[] = [];
  for (const { heads, cells, note } of rows) {
    const last = made.at(-1);
    if (last && last.note === note && last.heads.join("\n") === heads.join("\n")) last.lines.push(cells);
    else made.push({ heads, note, lines: [cells] });
  }
  return made;
}

function withIndex(cells: readonly string[]): [number, string][] {
  return cells.map((cell, at) => [at, cell]);
}
