import { GROUPINGS, type Grouping } from "@stipple/viewer/choices";
import { useMemo, useState } from "react";
import { SmallSelect } from "../selection/small-select.tsx";
import { viewerTexts } from "../texts.ts";
import { csvFile } from "../selection/export/csv.ts";
import { PanelSection } from "../selection/panel/section.tsx";
import { SaveTable } from "../sharing/file-saving.tsx";
import { groupsOf, shownGroups } from "../state/shown-groups.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { agreementOf, type Agreement } from "./agreement.ts";
import { clusterTexts as texts } from "./texts.ts";

/** A grouping that can be compared: of the analysis, or one's own. */
interface Comparable {
  key: string;
  name: string;
  groups: readonly string[];
  column: ArrayLike<number>;
}

/** How the keys of one's own groupings begin. */
const OWN = "own ";
/** Groups shown of each side; the file has all. */
const MAX_SHOWN = 25;

/** How two groupings of the cells agree. */
export function AgreementSection() {
  const all = useComparables();
  const [asked, setAsked] = useState<readonly [string, string]>(["", ""]);
  // Without a choice: the newest clustering, or that of the analysis, against the types.
  const newest = all.findLast(({ key }) => key.startsWith(OWN)) ?? all[1];
  const second = all.find(({ key }) => key === asked[1]) ?? all[0];
  const first = all.find(({ key }) => key === asked[0]) ?? newest;
  if (!first || !second) return null;
  const choice = (which: 0 | 1, label: string, value: Comparable) => (
    <SmallSelect
      label={label}
      value={value.key}
      choices={all}
      onChange={(key) => setAsked(which === 0 ? [key, second.key] : [first.key, key])}
    />
  );
  return (
    <PanelSection title={texts.agreement}>
      <div className="grid grid-cols-2 gap-2">
        {choice(0, texts.first, first)}
        {choice(1, texts.second, second)}
      </div>
      <Table first={first} second={second} />
    </PanelSection>
  );
}

function useComparables(): Comparable[] {
  const { manifest, cells } = useViewer();
  const edits = useViewerState((state) => state.edits);
  const clusterings = useViewerState((state) => state.clusterings);
  return useMemo(() => {
    const analyzed = GROUPINGS.filter((of): of is Exclude<Grouping, "own"> => of !== "own");
    return [
      ...analyzed.flatMap((of) => {
        const column = cells[of];
        if (!column || groupsOf(manifest, of).length === 0) return [];
        const groups = shownGroups(manifest, of, edits[of]).map(({ name }) => name);
        return [{ key: of, name: viewerTexts.groupLists[of], groups, column }];
      }),
      ...clusterings.map(({ id, name, groups, labels }) => ({
        key: OWN + id,
        name,
        groups: groups.map((group) => group.name),
        column: labels,
      })),
    ];
  }, [manifest, cells, edits, clusterings]);
}

function Table({ first, second }: { first: Comparable; second: Comparable }) {
  const agreement = useMemo(
    () =>
      agreementOf(
        { column: first.column, groups: first.groups.length },
        { column: second.column, groups: second.groups.length },
      ),
    [first, second],
  );
  const { cells, adjustedRand, table } = agreement;
  const left =
    Math.max(0, first.groups.length - MAX_SHOWN) + Math.max(0, second.groups.length - MAX_SHOWN);
  const columns = second.groups.slice(0, MAX_SHOWN);
  return (
    <>
      <p role="status" className="text-[0.8125rem]">
        {Number.isNaN(adjustedRand)
          ? texts.unknownRand
          : texts.rand(adjustedRand.toFixed(2), cells)}
      </p>
      <div
        role="region"
        aria-label={texts.agreement}
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control border border-line"
      >
        <table className="border-collapse text-xs tabular-nums">
          <caption className="sr-only">{texts.caption(first.name, second.name)}</caption>
          <thead>
            <tr>
              <td className="bg-raised" />
              <th scope="col" className="bg-raised px-2 py-1 text-right font-medium">
                {texts.cellsIn}
              </th>
              {columns.map((name, at) => (
                <th key={at} scope="col" className="bg-raised px-2 py-1 text-right font-medium">
                  <span className="block max-w-20 truncate" title={name}>
                    {name}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first.groups.slice(0, MAX_SHOWN).map((name, row) => (
              <Row key={row} name={name} counts={table[row]!} />
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && <p className="text-xs text-ink-3">{texts.leftOut(left)}</p>}
      <SaveTable
        size="sm"
        label={texts.csv}
        name={["agreement", first.name, second.name]}
        csv={() => agreementCsv(first, second, agreement)}
      />
    </>
  );
}

function Row({ name, counts }: { name: string; counts: readonly number[] }) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return (
    <tr className="border-t border-line">
      <th scope="row" className="px-2 py-1 text-left font-normal">
        <span className="block max-w-28 truncate" title={name}>
          {name}
        </span>
      </th>
      <td className="px-2 text-right text-ink-2">{all.toLocaleString("en-US")}</td>
      {counts.slice(0, MAX_SHOWN).map((count, at) => {
        const share = all > 0 ? count / all : 0;
        return (
          <td
            key={at}
            className="px-2 text-right"
            style={{
              backgroundColor: `color-mix(in oklab, var(--color-primary) ${Math.round(35 * share)}%, transparent)`,
            }}
          >
            {count === 0 ? "" : share < 0.005 ? "<1" : Math.round(100 * share)}
          </td>
        );
      })}
    </tr>
  );
}

/** Cell counts: a row per group of the first, a column per group of the second. */
function agreementCsv(first: Comparable, second: Comparable, { table }: Agreement): Promise<Blob> {
  const headers = ["group", ...second.groups];
  return csvFile(headers, table.length, (row) => [first.groups[row]!, ...table[row]!]);
}
