import { useState, type ReactNode } from "react";
import { joinClasses } from "../../../components/join-classes.ts";
import { viewerTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { TablePager } from "./table-pager.tsx";
import type { Order, useOrdered } from "./use-ordered.ts";
import { ArrowDown, ArrowUp } from "lucide-react";

const ROWS_A_PAGE = 25;
/** Keeps the name column visible while the others scroll. */
const FIRST_COLUMN = "sticky left-0 z-[1] max-w-28 text-left";

export interface GeneListColumn<Name extends string, Row> {
  name: Name;
  /** Whether the first press sorts from the lowest. */
  ascends?: boolean;
  className?: string;
  cell: (row: Row) => ReactNode;
}

interface GeneListTexts<Name extends string> {
  region: string;
  caption: string;
  none: string;
  previous: string;
  next: string;
  columns: Readonly<Record<Name, string>>;
  explanations: Readonly<Record<Name, string>>;
  /** What the pager says of a table without rows, which has none otherwise. */
  found?: (count: number) => string;
}

/** A table of genes that scrolls sideways, paginated; every column sorts, and clicking a gene colors the cells. */
export function GeneListTable<Name extends string, Row>({
  texts,
  columns,
  rows,
  valueOf,
  order,
  onOrder,
}: {
  texts: GeneListTexts<Name | "gene">;
  /** Those after the gene. */
  columns: readonly GeneListColumn<Name, Row>[];
} & ReturnType<typeof useOrdered<Row, Name | "gene">>) {
  const [asked, setPage] = useState({ of: rows, page: 0 });
  // Other rows are shown from the first page on.
  const page = asked.of === rows ? asked.page : 0;
  const from = page * ROWS_A_PAGE;
  const shown = rows.slice(from, from + ROWS_A_PAGE);
  const to = from + shown.length;
  const headings = { order, texts, onOrder };
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
              <SortHeading {...headings} column="gene" ascends className={FIRST_COLUMN} />
              {columns.map(({ name, ascends, className = "text-right" }) => (
                <SortHeading
                  key={name}
                  {...headings}
                  column={name}
                  ascends={ascends}
                  className={className}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => {
              const gene = String(valueOf(row, "gene"));
              return (
                <GeneRow key={at} gene={gene} title={viewerTexts.colorByGene(gene)}>
                  {columns.map(({ name, className = "text-right", cell }) => (
                    <td key={name} className={joinClasses("px-2 whitespace-nowrap", className)}>
                      {cell(row)}
                    </td>
                  ))}
                </GeneRow>
              );
            })}
          </tbody>
        </table>
        {rows.length === 0 && <p className="p-3 text-[0.8125rem] text-ink-3">{texts.none}</p>}
      </div>
      {(rows.length > 0 || texts.found) && (
        <TablePager
          page={page}
          isLast={to === rows.length}
          onPage={(next) => setPage({ of: rows, page: next })}
          texts={texts}
        >
          {rows.length > 0 ? viewerTexts.rowsOf(from + 1, to, rows.length) : texts.found?.(0)}
        </TablePager>
      )}
    </>
  );
}

/** What a cell says of something that should be so. */
export function YesNo({ value }: { value: boolean }) {
  return value ? viewerTexts.yes : <span className="text-warn">{viewerTexts.no}</span>;
}

/** A row with its gene's name first; clicking that colors the cells. */
function GeneRow({ gene, title, children }: { gene: string; title: string; children: ReactNode }) {
  const { store } = useViewer();
  const isColoring = useViewerState((state) => state.colorBy === "gene" && state.gene === gene);
  return (
    <tr
      className={joinClasses(
        "group border-b border-line last:border-0",
        isColoring ? "bg-primary-tint" : "hover:bg-raised",
      )}
    >
      <th
        scope="row"
        className={joinClasses(
          FIRST_COLUMN,
          "p-0 font-medium",
          // Opaque: other table cells scroll under it.
          isColoring ? "bg-primary-tint" : "bg-card group-hover:bg-raised",
        )}
      >
        <button
          type="button"
          aria-pressed={isColoring}
          title={title}
          onClick={() => store.setState({ colorBy: "gene", gene })}
          className="block h-8 w-full truncate px-2 text-left text-primary outline-offset-[-2px] hover:underline"
        >
          {gene}
        </button>
      </th>
      {children}
    </tr>
  );
}

/** A heading that sorts by its column, or reverses the order if already sorted by it. */
function SortHeading<Column extends string>({
  column,
  order,
  ascends = false,
  className,
  texts,
  onOrder,
}: {
  column: Column;
  order: Order<Column> | null;
  /** Whether the first press sorts from the lowest. */
  ascends?: boolean | undefined;
  className: string;
  texts: Pick<GeneListTexts<Column>, "columns" | "explanations">;
  onOrder: (order: Order<Column>) => void;
}) {
  const sorted = order?.by === column;
  const Arrow = order?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (order.descending ? "descending" : "ascending") : "none"}
      className={joinClasses(
        "border-b border-line bg-raised p-0 font-medium whitespace-nowrap text-ink-2",
        className,
      )}
    >
      <button
        type="button"
        title={`${viewerTexts.sortBy(texts.columns[column])}. ${texts.explanations[column]}`}
        onClick={() => onOrder({ by: column, descending: sorted ? !order.descending : !ascends })}
        className="inline-flex h-8 min-w-8 items-center justify-center gap-0.5 px-2 text-xs outline-offset-[-2px] hover:text-ink"
      >
        {texts.columns[column]}
        {sorted && <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  );
}
