import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { useCallback, useId, useMemo } from "react";
import { Drawing } from "../../plots/figure/plot-figure.tsx";
import { SaveFigure } from "../../plots/figure/save-figure.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import type { Thresholds } from "./gene-rows.ts";
import { differentialTexts } from "./texts.ts";
import { volcanoFigure } from "./volcano-figure.ts";

const texts = differentialTexts.volcano;

/** Effect versus evidence for every gene: a click colors the cells by one. */
export function Volcano({
  title,
  table,
  thresholds,
}: {
  title: string;
  table: DifferentialTable;
  thresholds: Thresholds;
}) {
  const { mayExport, store } = useViewer();
  const id = useId();
  const figure = useMemo(() => volcanoFigure(title, table, thresholds), [title, table, thresholds]);
  const colorBy = useCallback((gene: string) => store.setState({ colorBy: "gene", gene }), [store]);
  return (
    <figure aria-labelledby={`${id}-title`} className="flex min-w-0 flex-col gap-1">
      <figcaption id={`${id}-title`} className="sr-only">
        {texts.title}
      </figcaption>
      <Drawing figure={figure} onGene={colorBy} labelledBy={`${id}-title`} describedBy={id} />
      <p id={id} className="sr-only">
        {figure.summary}
      </p>
      {mayExport && (
        <SaveFigure name={`volcano ${title}`} kinds={["png", "svg"]} figure={() => figure} />
      )}
    </figure>
  );
}
