import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { Input } from "../../../../components/field.tsx";
import { joinClasses } from "../../../../components/join-classes.ts";
import { selectionTexts } from "../../../../texts/viewer-selection.ts";
import {
  GENE_COLUMNS,
  geneRows,
  type GeneColumn,
  type GeneOrder,
  type Thresholds,
} from "./gene-rows.ts";
import { probabilityText, signedText } from "./number-text.ts";

const texts = selectionTexts.table;
const ROWS_A_PAGE = 25;

/** All tested genes, a page at a time; every column sorts. */
export function GeneTable({
  table,
  thresholds,
  gene,
  onGene,
}: {
  table: DifferentialTable;
  thresholds: Thresholds;
  /** The gene that colors the cells. */
  gene: string | null;
  onGene: (gene: string) => void;
}) {
  const [order, setOrder] = useState<GeneOrder>({ by: "pvalue", descending: false });
  const [search, setSearch] = useState("");
  const [onlyBeyond, setOnlyBeyond] = useState(false);
  const [asked, setPage] = useState(0);
  const rows = useMemo(
    () => geneRows(table, order, search, onlyBeyond ? thresholds : null),
    [table, order, search, onlyBeyond, thresholds],
  );
  const page = Math.min(asked, Math.max(0, Math.ceil(rows.length / ROWS_A_PAGE) - 1));
  const from = page * ROWS_A_PAGE;
  const shown = rows.slice(from, from + ROWS_A_PAGE);

  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Input
          type="search"
          aria-label={texts.search}
          placeholder={texts.searchPlaceholder}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setPage(0);
          }}
          className="h-9! w-40! grow"
        />
        <label className="flex items-center gap-2 text-[0.8125rem]">
          <input
            type="checkbox"
            checked={onlyBeyond}
            onChange={(event) => {
              setOnlyBeyond(event.target.checked);
              setPage(0);
            }}
            className="size-4 accent-primary"
          />
          {texts.onlyBeyond}
        </label>
      </div>
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
              {GENE_COLUMNS.map((column) => (
                <HeaderCell
                  key={column}
                  column={column}
                  order={order}
                  onOrder={(next) => {
                    setOrder(next);
                    setPage(0);
                  }}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <GeneRow key={row} table={table} row={row} gene={gene} onGene={onGene} />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p className="p-3 text-[0.8125rem] text-ink-3">{texts.none}</p>}
      </div>
      <div className="flex items-center justify-between gap-2 text-[0.8125rem] text-ink-2">
        <span role="status">
          {rows.length > 0
            ? texts.page(from + 1, from + shown.length, rows.length)
            : texts.found(0)}
        </span>
        <span className="flex gap-1">
          <Button
            size="sm"
            aria-label={texts.previous}
            disabled={page === 0}
            onClick={() => setPage(page - 1)}
          >
            <ChevronLeft aria-hidden className="size-4" />
          </Button>
          <Button
            size="sm"
            aria-label={texts.next}
            disabled={from + ROWS_A_PAGE >= rows.length}
            onClick={() => setPage(page + 1)}
          >
            <ChevronRight aria-hidden className="size-4" />
          </Button>
        </span>
      </div>
      <Meanings />
    </div>
  );
}

const FIRST_COLUMN = "sticky left-0 z-[1] max-w-28 text-left";

/** Genes and p-values start at their small end, everything else at its large one. */
function startsDescending(column: GeneColumn): boolean {
  return column !== "gene" && column !== "pvalue" && column !== "fdr";
}

function HeaderCell({
  column,
  order,
  onOrder,
}: {
  column: GeneColumn;
  order: GeneOrder;
  onOrder: (order: GeneOrder) => void;
}) {
  const sorted = order.by === column;
  const Arrow = order.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (order.descending ? "descending" : "ascending") : "none"}
      className={joinClasses(
        "border-b border-line bg-raised p-0 font-medium whitespace-nowrap text-ink-2",
        column === "gene" ? FIRST_COLUMN : "text-right",
      )}
    >
      <button
        type="button"
        title={`${texts.sortBy(texts.columns[column])}. ${texts.explanations[column]}`}
        onClick={() =>
          onOrder({ by: column, descending: sorted ? !order.descending : startsDescending(column) })
        }
        className="inline-flex h-8 min-w-8 items-center justify-center gap-0.5 px-2 text-xs outline-offset-[-2px] hover:text-ink"
      >
        {texts.columns[column]}
        {sorted && <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  );
}

function GeneRow({
  table,
  row,
  gene,
  onGene,
}: {
  table: DifferentialTable;
  row: number;
  gene: string | null;
  onGene: (gene: string) => void;
}) {
  const name = table.genes[row]!;
  const cells: string[] = [
    signedText(table.log2_fold_change[row]!),
    table.auc[row]!.toFixed(2),
    probabilityText(table.fdr[row]!),
    probabilityText(table.pvalue[row]!),
    table.t[row]!.toFixed(1),
    (100 * table.fraction_a[row]!).toFixed(0),
    (100 * table.fraction_b[row]!).toFixed(0),
    table.reliable[row] ? texts.yes : texts.no,
  ];
  return (
    <tr className="group border-b border-line last:border-0">
      <th
        scope="row"
        className={joinClasses(
          FIRST_COLUMN,
          "p-0 font-medium",
          name === gene ? "bg-primary-tint" : "bg-card group-hover:bg-raised",
        )}
      >
        <button
          type="button"
          aria-pressed={name === gene}
          title={texts.colorBy(name)}
          onClick={() => onGene(name)}
          className="block h-8 w-full truncate px-2 text-left text-primary outline-offset-[-2px] hover:underline"
        >
          {name}
        </button>
      </th>
      {cells.map((text, at) => (
        <td
          key={at}
          className={joinClasses(
            "px-2 text-right whitespace-nowrap",
            name === gene ? "bg-primary-tint" : "group-hover:bg-raised",
            at === cells.length - 1 && !table.reliable[row] && "text-warn",
          )}
        >
          {text}
        </td>
      ))}
    </tr>
  );
}

function Meanings() {
  return (
    <details className="text-[0.8125rem]">
      <summary className="w-fit rounded py-1 text-ink-2">{texts.meanings}</summary>
      <dl className="mt-1 flex flex-col gap-1.5">
        {GENE_COLUMNS.map((column) => (
          <div key={column}>
            <dt className="inline font-medium">{texts.columns[column]}: </dt>
            <dd className="inline text-ink-2">{texts.explanations[column]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
