import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { useCallback, useMemo, useState } from "react";
import { Checkbox } from "../../../../components/checkbox.tsx";
import { Input } from "../../../../components/field.tsx";
import { GeneListTable, YesNo, type GeneListColumn } from "../../gene-lists/gene-list-table.tsx";
import { useOrdered } from "../../gene-lists/use-ordered.ts";
import {
  GENE_COLUMNS,
  geneRows,
  geneValue,
  type GeneColumn,
  type Thresholds,
} from "./gene-rows.ts";
import { probabilityText, signedText } from "./number-text.ts";
import { differentialTexts } from "./texts.ts";

const texts = differentialTexts.table;

const BY_EVIDENCE = { by: "pvalue", descending: false } as const;

/** All tested genes. */
export function GeneTable({
  table,
  thresholds,
}: {
  table: DifferentialTable;
  thresholds: Thresholds;
}) {
  const [search, setSearch] = useState("");
  const [onlyBeyond, setOnlyBeyond] = useState(false);
  const beyond = onlyBeyond ? thresholds : null;
  const rows = useMemo(() => geneRows(table, search, beyond), [table, search, beyond]);
  const valueOf = useCallback(
    (row: number, column: GeneColumn) => geneValue(table, row, column),
    [table],
  );
  const ordered = useOrdered<number, GeneColumn>(rows, valueOf, BY_EVIDENCE);
  const columns = useMemo(() => columnsOf(table), [table]);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Input
          type="search"
          aria-label={texts.search}
          placeholder={texts.searchPlaceholder}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          className="h-9! w-40! grow"
        />
        <Checkbox className="gap-2 text-[0.8125rem]" checked={onlyBeyond} onCheck={setOnlyBeyond}>
          {texts.onlyBeyond}
        </Checkbox>
      </div>
      <GeneListTable texts={texts} columns={columns} {...ordered} />
      <Meanings />
    </div>
  );
}

function columnsOf(
  table: DifferentialTable,
): readonly GeneListColumn<Exclude<GeneColumn, "gene">, number>[] {
  const percent = (shares: readonly number[], row: number) => (100 * shares[row]!).toFixed(0);
  return [
    { name: "log2_fold_change", cell: (row) => signedText(table.log2_fold_change[row]!) },
    { name: "auc", cell: (row) => table.auc[row]!.toFixed(2) },
    { name: "fdr", ascends: true, cell: (row) => probabilityText(table.fdr[row]!) },
    { name: "pvalue", ascends: true, cell: (row) => probabilityText(table.pvalue[row]!) },
    { name: "t", cell: (row) => table.t[row]!.toFixed(1) },
    { name: "fraction_a", cell: (row) => percent(table.fraction_a, row) },
    { name: "fraction_b", cell: (row) => percent(table.fraction_b, row) },
    {
      name: "reliable",
      cell: (row) => <YesNo value={table.reliable[row]!} />,
    },
  ];
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
