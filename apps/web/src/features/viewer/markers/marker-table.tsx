import { Swatch } from "../../../components/swatch.tsx";
import { markerTexts as texts } from "./texts.ts";
import { GeneListTable, type GeneListColumn } from "../gene-lists/gene-list-table.tsx";
import type { LookOf } from "../plots/use-group-looks.ts";
import { signedText } from "../selection/differential/number-text.ts";
import type { MarkerColumn, MarkerOrder, MarkerRow } from "./marker-rows.ts";

/** Of columns hidden in a narrow panel; the CSV file includes them. */
const WIDE_ONLY = "text-right @max-[26rem]:hidden";

/** The rows, paginated; every column is sortable, and clicking a gene colors the cells. */
export function MarkerTableView({
  lookOf,
  ...list
}: {
  rows: readonly MarkerRow[];
  order: MarkerOrder | null;
  page: number;
  lookOf: LookOf;
  onOrder: (order: MarkerOrder) => void;
  onPage: (page: number) => void;
}) {
  return (
    <div className="@container flex flex-col gap-3">
      <GeneListTable
        {...list}
        texts={texts}
        columns={columnsOf(lookOf)}
        keyOf={({ group, gene }) => `${group} ${gene}`}
        geneOf={({ gene }) => gene}
      />
      <p className="text-xs text-ink-3 @min-[26rem]:hidden">{texts.moreInCsv}</p>
    </div>
  );
}

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
      cell: ({ reliable }) =>
        reliable === null ? (
          texts.unknown
        ) : reliable ? (
          texts.yes
        ) : (
          <span className="text-warn">{texts.no}</span>
        ),
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
