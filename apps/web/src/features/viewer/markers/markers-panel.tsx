import { useCallback, useMemo, useState } from "react";
import { Checkbox } from "../../../components/checkbox.tsx";
import { Button } from "../../../components/button.tsx";
import { Options, Input, Select } from "../../../components/field.tsx";
import { Segmented } from "../../../components/segmented.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { markerTexts as texts } from "./texts.ts";
import { useReliabilities } from "../data/use-reliability.ts";
import { useGroupLooks, type LookOf } from "../plots/use-group-looks.ts";
import { useStatistics } from "../plots/use-statistics.ts";
import type { Grouping } from "@stipple/viewer/choices";
import { SaveTable } from "../sharing/file-saving.tsx";
import { shownClustering, type Clustering } from "../state/clusterings.ts";
import { useViewerState } from "../state/viewer-context.tsx";
import {
  chosenRows,
  markerRows,
  markersCsv,
  type MarkerColumn,
  type MarkerFilter,
  type MarkerRow,
} from "./marker-rows.ts";
import { OwnMarkersStatus } from "./own-markers-status.tsx";
import { useOwnMarkers, type ShownMarkers } from "./use-own-markers.ts";
import { Swatch } from "../../../components/swatch.tsx";
import { GeneListTable, YesNo, type GeneListColumn } from "../gene-lists/gene-list-table.tsx";
import { useOrdered } from "../gene-lists/use-ordered.ts";
import { signedText } from "../selection/differential/number-text.ts";

type Kind = ShownMarkers["groupBy"];
const KINDS: readonly Kind[] = ["cell_type", "cluster", "domain", "own"];
const GROUPING: Record<Kind, Grouping> = {
  cell_type: "type",
  cluster: "cluster",
  domain: "domain",
  own: "own",
};

const WHOLE: MarkerFilter = { search: "", group: null, reliableOnly: false };

/** Markers of all types, clusters, or domains in one table. */
export function MarkersPanel() {
  const { data, error, refetch } = useStatistics();
  const clustering = useViewerState(shownClustering);
  const isOwn = useViewerState((state) => state.colorBy === "own");
  const [asked, setKind] = useState<Kind>(isOwn ? "own" : "cell_type");
  if (error) {
    return (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p>{texts.failed}</p>
        <Button size="sm" onClick={() => void refetch()}>
          {texts.retry}
        </Button>
      </div>
    );
  }
  if (!data) {
    return (
      <div role="status">
        <span className="sr-only">{texts.loading}</span>
        <Skeleton className="h-60" />
      </div>
    );
  }
  const tables = data.markers.filter(({ groups }) => groups.some(({ genes }) => genes.length > 0));
  const table = tables.find(({ groupBy }) => groupBy === asked) ?? tables[0];
  const kinds = KINDS.filter((kind) =>
    kind === "own" ? clustering : tables.some(({ groupBy }) => groupBy === kind),
  );
  const shown = asked === "own" && clustering ? "own" : (table?.groupBy ?? kinds[0]);
  if (shown === undefined) return <p className="text-ink-2">{texts.noTable}</p>;
  return (
    <div className="flex flex-col gap-3">
      {kinds.length > 1 && (
        <Segmented
          label={texts.by}
          names={texts.kinds}
          choices={kinds}
          value={shown}
          onChange={setKind}
        />
      )}
      {shown === "own" && clustering ? (
        <OwnMarkerList clustering={clustering} />
      ) : (
        table && <Markers key={table.groupBy} table={table} />
      )}
    </div>
  );
}

function OwnMarkerList({ clustering }: { clustering: Clustering }) {
  const { table, ...status } = useOwnMarkers(clustering);
  if (!table) return <OwnMarkersStatus {...status} />;
  return <Markers key={clustering.id} table={table} />;
}

/** All rows of a table, in the order of the table. */
function useMarkerRows(table: ShownMarkers): MarkerRow[] {
  const genes = useMemo(() => [...new Set(table.groups.flatMap((group) => group.genes))], [table]);
  const reliabilities = useReliabilities(genes);
  return useMemo(() => {
    const reliable = new Map(genes.map((gene, at) => [gene, reliabilities[at] ?? null]));
    return markerRows(table, (gene) => reliable.get(gene) ?? null);
  }, [table, genes, reliabilities]);
}

function Markers({ table }: { table: ShownMarkers }) {
  const lookOf = useGroupLooks(GROUPING[table.groupBy]);
  const [filter, setFilter] = useState(WHOLE);
  const show = (part: Partial<MarkerFilter>): void => setFilter({ ...filter, ...part });
  const rows = useMarkerRows(table);
  const shown = useMemo(() => chosenRows(rows, filter), [rows, filter]);
  const nameOf = useCallback((group: string) => lookOf(group).name, [lookOf]);
  const valueOf = useCallback(
    (row: MarkerRow, column: MarkerColumn) =>
      column === "group" ? nameOf(row.group) : column === "gene" ? row.gene : Number(row[column]),
    [nameOf],
  );
  const ordered = useOrdered<MarkerRow, MarkerColumn>(shown, valueOf);

  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <Select
          aria-label={texts.group}
          className="h-9!"
          value={filter.group ?? ""}
          onChange={({ target }) => show({ group: target.value === "" ? null : target.value })}
        >
          <option value="">{texts.allGroups[table.groupBy]}</option>
          <Options of={table.groups.map(({ group }) => [group, nameOf(group)])} />
        </Select>
        <Input
          type="search"
          className="h-9!"
          aria-label={texts.search}
          placeholder={texts.searchPlaceholder}
          value={filter.search}
          onChange={({ target }) => show({ search: target.value })}
        />
        <Checkbox
          className="col-span-2 gap-2 text-[0.8125rem]"
          checked={filter.reliableOnly}
          onCheck={(reliableOnly) => show({ reliableOnly })}
        >
          {texts.reliableOnly}
        </Checkbox>
      </div>
      {rows.every(({ reliable }) => reliable === false) && (
        <p className="rounded-control bg-warn-tint px-2.5 py-1.5 text-xs text-warn">
          {texts.noReliable}
        </p>
      )}
      <div className="@container flex flex-col gap-3">
        <GeneListTable texts={texts} columns={columnsOf(lookOf)} {...ordered} />
        <p className="text-xs text-ink-3 @min-[26rem]:hidden">{texts.moreInCsv}</p>
      </div>
      <p className="text-xs text-ink-3">{texts.tested(table.testedCells, table.testedGenes)}</p>
      <SaveTable
        disabled={shown.length === 0}
        name={["markers", texts.kinds[table.groupBy].toLowerCase()]}
        csv={() => markersCsv(ordered.rows, nameOf)}
      />
    </>
  );
}

/** Of columns hidden in a narrow panel; the CSV file includes them. */
const WIDE_ONLY = "text-right @max-[26rem]:hidden";

function columnsOf(
  lookOf: LookOf,
): readonly GeneListColumn<Exclude<MarkerColumn, "gene">, MarkerRow>[] {
  return [
    {
      name: "group",
      ascends: true,
      className: "max-w-20 text-left @min-[26rem]:max-w-28",
      cell: ({ group }) => <Group look={lookOf(group)} />,
    },
    { name: "log2FoldChange", cell: (row) => signedText(row.log2FoldChange) },
    { name: "auc", className: WIDE_ONLY, cell: ({ auc }) => auc.toFixed(2) },
    { name: "share", className: WIDE_ONLY, cell: ({ share }) => (100 * share).toFixed(0) },
    {
      name: "shareOthers",
      className: WIDE_ONLY,
      cell: ({ shareOthers }) => (100 * shareOthers).toFixed(0),
    },
    {
      name: "reliable",
      cell: ({ reliable }) => (reliable === null ? texts.unknown : <YesNo value={reliable} />),
    },
  ];
}

function Group({ look: { name, color } }: { look: ReturnType<LookOf> }) {
  return (
    <span className="flex items-center gap-1.5">
      <Swatch color={color} className="size-2.5 shrink-0 rounded-full" />
      <span className="truncate" title={name}>
        {name}
      </span>
    </span>
  );
}
