import { joinClasses } from "../../../components/join-classes.ts";
import { Swatch } from "../../../components/swatch.tsx";
import { markerTexts as texts } from "./texts.ts";
import { GeneHeading, rowGround } from "../gene-lists/gene-heading.tsx";
import { GeneListTable } from "../gene-lists/gene-list-table.tsx";
import { FIRST_COLUMN, SortHeading } from "../gene-lists/sort-heading.tsx";
import { pageOf, TablePager } from "../gene-lists/table-page.tsx";
import type { LookOf } from "../plots/use-group-looks.ts";
import { signedText } from "../selection/differential/number-text.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import {
  MARKER_COLUMNS,
  type MarkerColumn,
  type MarkerOrder,
  type MarkerRow,
} from "./marker-rows.ts";

/** Columns hidden in a narrow panel; the CSV file includes them. */
const WIDE_ONLY: readonly MarkerColumn[] = ["auc", "share", "shareOthers"];
const HIDDEN_WHEN_NARROW = "@max-[26rem]:hidden";

/** The rows, paginated; every column is sortable, and clicking a gene colors the cells. */
export function MarkerTableView({
  rows,
  order,
  page: asked,
  lookOf,
  onOrder,
  onPage,
}: {
  rows: readonly MarkerRow[];
  order: MarkerOrder | null;
  page: number;
  lookOf: LookOf;
  onOrder: (order: MarkerOrder) => void;
  onPage: (page: number) => void;
}) {
  const { store } = useViewer();
  const gene = useViewerState((state) => (state.colorBy === "gene" ? state.gene : null));
  const { page, from, shown, isLast } = pageOf(rows, asked);
  return (
    <div className="@container flex flex-col gap-3">
      <GeneListTable
        texts={texts}
        isEmpty={rows.length === 0}
        headings={MARKER_COLUMNS.map((column) => (
          <SortHeading
            key={column}
            column={column}
            order={order}
            startsDescending={!isText(column)}
            alignment={joinClasses(
              column === "gene" ? FIRST_COLUMN : isText(column) ? "text-left" : "text-right",
              WIDE_ONLY.includes(column) && HIDDEN_WHEN_NARROW,
            )}
            texts={texts}
            onOrder={onOrder}
          />
        ))}
      >
        {shown.map((row) => (
          <Row
            key={`${row.group} ${row.gene}`}
            row={row}
            look={lookOf(row.group)}
            isColoring={row.gene === gene}
            onGene={() => store.setState({ colorBy: "gene", gene: row.gene })}
          />
        ))}
      </GeneListTable>
      {rows.length > 0 && (
        <TablePager page={page} isLast={isLast} onPage={onPage} texts={texts}>
          {texts.page(from + 1, from + shown.length, rows.length)}
        </TablePager>
      )}
      <p className="text-xs text-ink-3 @min-[26rem]:hidden">{texts.moreInCsv}</p>
    </div>
  );
}

function isText(column: MarkerColumn): boolean {
  return column === "gene" || column === "group";
}

function Row({
  row,
  look,
  isColoring,
  onGene,
}: {
  row: MarkerRow;
  look: { name: string; color: string };
  isColoring: boolean;
  onGene: () => void;
}) {
  const numbers: readonly (readonly [MarkerColumn, string])[] = [
    ["log2FoldChange", signedText(row.log2FoldChange)],
    ["auc", row.auc.toFixed(2)],
    ["share", (100 * row.share).toFixed(0)],
    ["shareOthers", (100 * row.shareOthers).toFixed(0)],
  ];
  const ground = rowGround(isColoring);
  return (
    <tr className="group border-b border-line last:border-0">
      <GeneHeading
        gene={row.gene}
        isColoring={isColoring}
        title={texts.colorBy(row.gene)}
        onGene={onGene}
      />
      <td className={joinClasses("max-w-20 px-2 @min-[26rem]:max-w-28", ground)}>
        <span className="flex items-center gap-1.5">
          <Swatch color={look.color} className="size-2.5 shrink-0 rounded-full" />
          <span className="truncate" title={look.name}>
            {look.name}
          </span>
        </span>
      </td>
      {numbers.map(([column, text]) => (
        <td
          key={column}
          className={joinClasses(
            "px-2 text-right whitespace-nowrap",
            ground,
            WIDE_ONLY.includes(column) && HIDDEN_WHEN_NARROW,
          )}
        >
          {text}
        </td>
      ))}
      <td className={joinClasses("px-2 text-right", ground, row.reliable === false && "text-warn")}>
        {row.reliable === null ? texts.unknown : row.reliable ? texts.yes : texts.no}
      </td>
    </tr>
  );
}
