import { joinClasses } from "../../../../components/join-classes.ts";
import { plotTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { numberText } from "./number-text.ts";
import type { DataTable } from "./figure.ts";

/** Keeps the page responsive; exported files hold all rows. */
const MAX_ROWS = 200;

/** The numbers behind a drawing, for reading and keyboard navigation. */
export function FigureTable({
  title,
  table: { columns, rows },
  onGene,
}: {
  title: string;
  table: DataTable;
  onGene: ((gene: string) => void) | undefined;
}) {
  return (
    <div>
      <div
        tabIndex={0}
        role="region"
        aria-label={plotTexts.tableOf(title)}
        className="max-h-[60vh] overflow-auto rounded-control border border-line"
      >
        <table className="w-full border-collapse text-xs tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead className="sticky top-0 bg-raised">
            <tr>
              {columns.map(({ name, kind }) => (
                <th
                  key={name}
                  scope="col"
                  className={joinClasses(
                    "px-2 py-1.5 font-medium text-ink-2",
                    kind === "number" ? "text-right" : "text-left",
                  )}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row, at) => (
              <tr key={at} className="border-t border-line">
                {row.map((value, column) => {
                  const kind = columns[column]!.kind;
                  return (
                    <td
                      key={column}
                      className={joinClasses(
                        "px-2 py-1",
                        kind === "number" ? "text-right" : "text-left",
                      )}
                    >
                      {kind === "gene" && onGene ? (
                        <button
                          type="button"
                          title={viewerTexts.colorByGene(String(value))}
                          onClick={() => onGene(String(value))}
                          className="min-h-6 text-primary underline underline-offset-2"
                        >
                          {value}
                        </button>
                      ) : (
                        shown(value)
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_ROWS && (
        <p className="mt-1 text-xs text-ink-3">{plotTexts.firstRows(MAX_ROWS, rows.length)}</p>
      )}
    </div>
  );
}

function shown(value: string | number | null): string {
  if (typeof value === "string") return value;
  return value === null || !Number.isFinite(value) ? "–" : numberText(value);
}
