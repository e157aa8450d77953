import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { useMemo, useState } from "react";
import { Input } from "../../../../components/field.tsx";
import { joinClasses } from "../../../../components/join-classes.ts";
import { differentialTexts } from "./texts.ts";
import { GeneHeading, rowGround } from "../../gene-lists/gene-heading.tsx";
import { GeneListTable } from "../../gene-lists/gene-list-table.tsx";
import { FIRST_COLUMN, SortHeading } from "../../gene-lists/sort-heading.tsx";
import { pageOf, TablePager } from "../../gene-lists/table-page.tsx";
import {
  GENE_COLUMNS,
  geneRows,
  type GeneColumn,
  type GeneOrder,
  type Thresholds,
} from "./gene-rows.ts";
import { probabilityText, signedText } from "./number-text.ts";

const texts = differentialTexts.table;

/** All tested genes, paginated; every column is sortable. */
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
  const { page, from, shown, isLast } = pageOf(rows, asked);

  return (
    <div className="flex flex-col gap-2">
      <Filters
        search={search}
        onlyBeyond={onlyBeyond}
        onSearch={(text) => {
          setSearch(text);
          setPage(0);
        }}
        onOnlyBeyond={(only) => {
          setOnlyBeyond(only);
          setPage(0);
        }}
      />
      <GeneListTable
        texts={texts}
        isEmpty={rows.length === 0}
        headings={GENE_COLUMNS.map((column) => (
          <SortHeading
            key={column}
            column={column}
            order={order}
            startsDescending={startsDescending(column)}
            alignment={column === "gene" ? FIRST_COLUMN : "text-right"}
            texts={texts}
            onOrder={(next) => {
              setOrder(next);
              setPage(0);
            }}
          />
        ))}
      >
        {shown.map((row) => (
          <GeneRow key={row} table={table} row={row} gene={gene} onGene={onGene} />
        ))}
      </GeneListTable>
      <TablePager page={page} isLast={isLast} onPage={setPage} texts={texts}>
        {rows.length > 0 ? texts.page(from + 1, from + shown.length, rows.length) : texts.found(0)}
      </TablePager>
      <Meanings />
    </div>
  );
}

function Filters({
  search,
  onlyBeyond,
  onSearch,
  onOnlyBeyond,
}: {
  search: string;
  onlyBeyond: boolean;
  onSearch: (text: string) => void;
  onOnlyBeyond: (only: boolean) => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Input
        type="search"
        aria-label={texts.search}
        placeholder={texts.searchPlaceholder}
        value={search}
        onChange={({ target }) => onSearch(target.value)}
        className="h-9! w-40! grow"
      />
      <label className="flex items-center gap-2 text-[0.8125rem]">
        <input
          type="checkbox"
          checked={onlyBeyond}
          onChange={({ target }) => onOnlyBeyond(target.checked)}
          className="size-4 accent-primary"
        />
        {texts.onlyBeyond}
      </label>
    </div>
  );
}

/** Genes and p-values are first sorted ascending, everything else descending. */
function startsDescending(column: GeneColumn): boolean {
  return column !== "gene" && column !== "pvalue" && column !== "fdr";
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
      <GeneHeading
        gene={name}
        isColoring={name === gene}
        title={texts.colorBy(name)}
        onGene={() => onGene(name)}
      />
      {cells.map((text, at) => (
        <td
          key={at}
          className={joinClasses(
            "px-2 text-right whitespace-nowrap",
            rowGround(name === gene),
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
