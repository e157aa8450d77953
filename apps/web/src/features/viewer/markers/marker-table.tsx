import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { markerTexts as texts } from "../../../texts/viewer-markers.ts";
import type { LookOf } from "../plots/use-group-looks.ts";
import { signedText } from "../selection/differential/number-text.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import {
  MARKER_COLUMNS,
  type MarkerColumn,
  type MarkerOrder,
  type MarkerRow,
} from "./marker-rows.ts";

const ROWS_A_PAGE = 25;
const FIRST_COLUMN = "sticky left-0 z-[1] max-w-28 text-left";

/** The rows, a page at a time; every column sorts, a gene colors the cells. */
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
  const page = Math.min(asked, Math.max(0, Math.ceil(rows.length / ROWS_A_PAGE) - 1));
  const from = page * ROWS_A_PAGE;
  const shown = rows.slice(from, from + ROWS_A_PAGE);
  return (
    <>
      <div
        role="region"
        aria-label={texts.region}
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line"
      >
        <table className="w-full border-collapse text-[0.8125rem] tabular-nums">
          <caption className="sr-only">{texts.caption}</caption>
          <thead>
            <tr className="bg-raised">
              {MARKER_COLUMNS.map((column) => (
                <Header key={column} column={column} order={order} onOrder={onOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row
                key={`${row.group} ${row.gene}`}
                row={row}
                look={lookOf(row.group)}
                isColoring={row.gene === gene}
                onGene={() => store.setState({ colorBy: "gene", gene: row.gene })}
              />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p className="p-3 text-[0.8125rem] text-ink-3">{texts.none}</p>}
      </div>
      {rows.length > 0 && (
        <div className="flex items-center justify-between gap-2 text-[0.8125rem] text-ink-2">
          <span role="status">{texts.page(from + 1, from + shown.length, rows.length)}</span>
          <span className="flex gap-1">
            <Button
              size="sm"
              aria-label={texts.previous}
              disabled={page === 0}
              onClick={() => onPage(page - 1)}
            >
              <ChevronLeft aria-hidden className="size-4" />
            </Button>
            <Button
              size="sm"
              aria-label={texts.next}
              disabled={from + ROWS_A_PAGE >= rows.length}
              onClick={() => onPage(page + 1)}
            >
              <ChevronRight aria-hidden className="size-4" />
            </Button>
          </span>
        </div>
      )}
    </>
  );
}

function Header({
  column,
  order,
  onOrder,
}: {
  column: MarkerColumn;
  order: MarkerOrder | null;
  onOrder: (order: MarkerOrder) => void;
}) {
  const isText = column === "gene" || column === "group";
  const sorted = order?.by === column;
  const Arrow = order?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (order.descending ? "descending" : "ascending") : "none"}
      className={joinClasses(
        "border-b border-line bg-raised p-0 font-medium whitespace-nowrap text-ink-2",
        column === "gene" ? FIRST_COLUMN : isText ? "text-left" : "text-right",
      )}
    >
      <button
        type="button"
        title={`${texts.sortBy(texts.columns[column])}. ${texts.explanations[column]}`}
        onClick={() => onOrder({ by: column, descending: sorted ? !order.descending : !isText })}
        className="inline-flex h-8 min-w-8 items-center justify-center gap-0.5 px-2 text-xs outline-offset-[-2px] hover:text-ink"
      >
        {texts.columns[column]}
        {sorted && <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  );
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
  const numbers = [
    signedText(row.log2FoldChange),
    row.auc.toFixed(2),
    (100 * row.share).toFixed(0),
    (100 * row.shareOthers).toFixed(0),
  ];
  const ground = isColoring ? "bg-primary-tint" : "group-hover:bg-raised";
  return (
    <tr className="group border-b border-line last:border-0">
      <th
        scope="row"
        className={joinClasses(
          FIRST_COLUMN,
          "p-0 font-medium",
          isColoring ? "bg-primary-tint" : "bg-card group-hover:bg-raised",
        )}
      >
        <button
          type="button"
          aria-pressed={isColoring}
          title={texts.colorBy(row.gene)}
          onClick={onGene}
          className="block h-8 w-full truncate px-2 text-left text-primary outline-offset-[-2px] hover:underline"
        >
          {row.gene}
        </button>
      </th>
      <td className={joinClasses("max-w-32 px-2", ground)}>
        <span className="flex items-center gap-1.5">
          <span
            aria-hidden
            className="size-2.5 shrink-0 rounded-full"
            style={{ backgroundColor: look.color }}
          />
          <span className="truncate" title={look.name}>
            {look.name}
          </span>
        </span>
      </td>
      {numbers.map((text, at) => (
        <td key={at} className={joinClasses("px-2 text-right whitespace-nowrap", ground)}>
          {text}
        </td>
      ))}
      <td className={joinClasses("px-2 text-right", ground, row.reliable === false && "text-warn")}>
        {row.reliable === null ? texts.unknown : row.reliable ? texts.yes : texts.no}
      </td>
    </tr>
  );
}
