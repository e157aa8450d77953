import { useMemo, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Options, Input, Select } from "../../../components/field.tsx";
import { Segmented } from "../../../components/segmented.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { markerTexts as texts } from "./texts.ts";
import { useReliabilities } from "../data/use-reliability.ts";
import { useGroupLooks } from "../plots/use-group-looks.ts";
import { useStatistics } from "../plots/use-statistics.ts";
import type { Grouping } from "@stipple/viewer/choices";
import { SaveTable } from "../sharing/file-saving.tsx";
import { shownClustering, type Clustering } from "../state/clusterings.ts";
import { useViewerState } from "../state/viewer-context.tsx";
import {
  chosenRows,
  markerRows,
  type MarkerFilter,
  type MarkerOrder,
  type MarkerRow,
} from "./marker-rows.ts";
import { MarkerTableView } from "./marker-table.tsx";
import { markersCsv } from "./markers-csv.ts";
import { OwnMarkersStatus } from "./own-markers-status.tsx";
import { useOwnMarkers, type ShownMarkers } from "./use-own-markers.ts";

type Kind = ShownMarkers["groupBy"];
const KINDS: readonly Kind[] = ["cell_type", "cluster", "domain", "own"];
const GROUPING: Record<Kind, Grouping> = {
  cell_type: "type",
  cluster: "cluster",
  domain: "domain",
  own: "own",
};

/** What is shown of a table of markers. */
interface TableView extends MarkerFilter {
  order: MarkerOrder | null;
  page: number;
}
const WHOLE: TableView = { search: "", group: null, reliableOnly: false, order: null, page: 0 };

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
  const [view, setView] = useState(WHOLE);
  const show = (part: Partial<TableView>): void => setView({ ...view, page: 0, ...part });
  const rows = useMarkerRows(table);
  const nameOf = useMemo(() => (group: string) => lookOf(group).name, [lookOf]);
  const shown = useMemo(() => chosenRows(rows, view, view.order, nameOf), [rows, view, nameOf]);

  return (
    <>
      <MarkerFilters table={table} nameOf={nameOf} filter={view} onFilter={show} />
      {rows.every(({ reliable }) => reliable === false) && (
        <p className="rounded-control bg-warn-tint px-2.5 py-1.5 text-xs text-warn">
          {texts.noReliable}
        </p>
      )}
      <MarkerTableView
        rows={shown}
        order={view.order}
        page={view.page}
        lookOf={lookOf}
        onOrder={(order) => show({ order })}
        onPage={(page) => show({ page })}
      />
      <p className="text-xs text-ink-3">{texts.tested(table.testedCells, table.testedGenes)}</p>
      <SaveTable
        label={texts.csv}
        disabled={shown.length === 0}
        name={["markers", texts.kinds[table.groupBy].toLowerCase()]}
        csv={() => markersCsv(shown, nameOf)}
      />
    </>
  );
}

function MarkerFilters({
  table,
  nameOf,
  filter,
  onFilter,
}: {
  table: ShownMarkers;
  nameOf: (group: string) => string;
  filter: MarkerFilter;
  onFilter: (part: Partial<MarkerFilter>) => void;
}) {
  return (
    <div className="grid grid-cols-2 gap-2">
      <Select
        aria-label={texts.group}
        className="h-9!"
        value={filter.group ?? ""}
        onChange={({ target }) => onFilter({ group: target.value === "" ? null : target.value })}
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
        onChange={({ target }) => onFilter({ search: target.value })}
      />
      <label className="col-span-2 flex items-center gap-2 text-[0.8125rem]">
        <input
          type="checkbox"
          className="size-4 accent-primary"
          checked={filter.reliableOnly}
          onChange={({ target }) => onFilter({ reliableOnly: target.checked })}
        />
        {texts.reliableOnly}
      </label>
    </div>
  );
}
