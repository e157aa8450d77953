import { useMemo, useState } from "react";
import { SmallSelect } from "../selection/small-select.tsx";
import { csvFile } from "../selection/export/csv.ts";
import { OwnMarkersStatus } from "../markers/own-markers-status.tsx";
import { PanelSection } from "../selection/panel/section.tsx";
import { SaveTable } from "../sharing/file-saving.tsx";
import { overRepresentation, type Representation } from "./over-representation.ts";
import { geneSetTexts as texts } from "./texts.ts";
import { useGeneLists } from "./use-gene-lists.ts";
import { useGeneTables } from "./use-gene-tables.ts";

const MAX_SHOWN = 50;
const HEADERS = ["list", "genes", "size", "times_chance", "p", "fdr", "shared"] as const;

/** Which lists have more genes in a table than by chance. */
export function EnrichmentSection() {
  const [asked, setAsked] = useState("");
  const { choices, table, own } = useGeneTables(asked);
  const lists = useGeneLists();
  const found = useMemo(
    () =>
      table
        ? overRepresentation(
            lists.map(({ name, known }) => ({ name, genes: known })),
            table.chosen,
            table.background,
          )
        : [],
    [table, lists],
  );
  if (lists.length === 0) return null;
  return (
    <PanelSection title={texts.enrichment}>
      <p className="text-xs text-ink-3">{texts.enrichmentHint}</p>
      {choices.length === 0 && <p className="text-[0.8125rem] text-ink-2">{texts.noTables}</p>}
      {choices.length > 0 && (
        <SmallSelect
          label={texts.table}
          value={table?.key ?? asked}
          choices={choices}
          onChange={setAsked}
        />
      )}
      {own && <OwnMarkersStatus {...own} />}
      {table && (
        <>
          <p role="status" className="text-[0.8125rem] text-ink-2">
            {table.chosen.length === 0
              ? texts.noneChosen
              : texts.background(table.chosen.length, table.background.length)}{" "}
            {table.note}
          </p>
          {table.chosen.length > 0 && <Results found={found} />}
          <SaveTable
            size="sm"
            disabled={found.length === 0 || table.chosen.length === 0}
            name={["gene lists", table.name]}
            csv={() =>
              csvFile(HEADERS, found.length, (at) => {
                const { name, size, shared, fold, p, fdr } = found[at]!;
                return [name, shared.length, size, fold, p, fdr, shared.join(" ")];
              })
            }
          />
        </>
      )}
    </PanelSection>
  );
}

function Results({ found }: { found: readonly Representation[] }) {
  const { columns } = texts;
  return (
    <>
      <div
        role="region"
        aria-label={texts.enrichment}
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control border border-line"
      >
        <table className="w-full border-collapse text-xs tabular-nums">
          <caption className="sr-only">{texts.caption}</caption>
          <thead>
            <tr className="bg-raised">
              {([columns.name, columns.shared, columns.fold, columns.p, columns.fdr] as const).map(
                (name, at) => (
                  <th
                    key={name}
                    scope="col"
                    className={`px-2 py-1.5 font-medium whitespace-nowrap ${at === 0 ? "text-left" : "text-right"}`}
                  >
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {found.slice(0, MAX_SHOWN).map((row, at) => (
              <tr key={at} className="border-t border-line">
                <th scope="row" className="px-2 py-1 text-left font-normal">
                  <span className="block max-w-28 truncate" title={row.name}>
                    {row.name}
                  </span>
                </th>
                <td className="px-2 text-right whitespace-nowrap" title={row.shared.join(", ")}>
                  {texts.sharedOf(row.shared.length, row.size)}
                </td>
                <td className="px-2 text-right">{row.fold.toFixed(1)}</td>
                <td className="px-2 text-right">{shortP(row.p)}</td>
                <td className="px-2 text-right">{shortP(row.fdr)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > MAX_SHOWN && (
        <p className="text-xs text-ink-3">{texts.mostShown(MAX_SHOWN, found.length)}</p>
      )}
    </>
  );
}

function shortP(p: number): string {
  return p >= 0.001 ? p.toFixed(3) : p.toExponential(0);
}
