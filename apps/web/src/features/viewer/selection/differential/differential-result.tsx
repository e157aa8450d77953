import { Suspense, useState } from "react";
import { useStore } from "zustand";
import { differentialTexts } from "./texts.ts";
import { SaveTable } from "../../sharing/file-saving.tsx";
import type { ComparisonState, ComparisonStore } from "./comparison.ts";
import { GeneTable } from "./gene-table.tsx";
import { genesCsv } from "./gene-rows.ts";
import { numberWithin } from "./number-text.ts";
import { lazyPart } from "../../../../app/load-code.ts";
import { Skeleton } from "../../../../components/skeleton.tsx";

const texts = differentialTexts.compare;
const Volcano = lazyPart(() => import("./volcano.tsx"), "Volcano");

/** A comparison's result: the two sides, the volcano plot, and the gene table. */
export function DifferentialResult({
  comparison,
  result,
}: {
  comparison: ComparisonStore;
  result: NonNullable<ComparisonState["result"]>;
}) {
  const thresholds = useStore(comparison, (state) => state.thresholds);
  const { a, b, table, caution } = result;
  const title = texts.result(a, b);
  const threshold = (name: keyof typeof thresholds, value: number) =>
    comparison.setState({ thresholds: { ...thresholds, [name]: value } });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-[0.8125rem] text-ink-2">
        {texts.entered(table.cells_a, table.cells_b, table.spots)} {table.sampled && texts.sampled}
      </p>
      <p className="rounded-control bg-warn-tint px-2.5 py-1.5 text-xs text-warn">
        {texts.cautions[caution]}
      </p>
      {table.genes.length === 0 ? (
        <p role="status" className="text-ink-2">
          {texts.empty}
        </p>
      ) : (
        <>
          <div className="flex flex-wrap gap-x-4 gap-y-2 text-[0.8125rem] text-ink-2">
            <ThresholdInput
              label={differentialTexts.volcano.fdr}
              value={thresholds.fdr}
              step={0.01}
              most={1}
              onChange={(value) => threshold("fdr", value)}
            />
            <ThresholdInput
              label={differentialTexts.volcano.change}
              value={thresholds.change}
              step={0.25}
              most={20}
              onChange={(value) => threshold("change", value)}
            />
          </div>
          <Suspense fallback={<Skeleton className="h-72" />}>
            <Volcano title={title} table={table} thresholds={thresholds} />
          </Suspense>
          <GeneTable table={table} thresholds={thresholds} />
          <SaveTable name={["differential", a, "vs", b]} csv={() => genesCsv(a, b, table)} />
        </>
      )}
    </div>
  );
}

/** A number from 0 to `most`; invalid text stays in the field while typing but is not applied. */
function ThresholdInput({
  label,
  value,
  step,
  most,
  onChange,
}: {
  label: string;
  value: number;
  step: number;
  most: number;
  onChange: (value: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label className="flex items-center gap-2">
      {label}
      <input
        type="number"
        min={0}
        max={most}
        step={step}
        value={typed ?? `${value}`}
        aria-invalid={typed !== null && numberWithin(typed, most) === null ? true : undefined}
        onChange={(event) => {
          setTyped(event.target.value);
          const number = numberWithin(event.target.value, most);
          if (number !== null) onChange(number);
        }}
        onBlur={() => setTyped(null)}
        className="h-8 w-18 rounded-control border border-line-input bg-card px-2 text-ink"
      />
    </label>
  );
}
