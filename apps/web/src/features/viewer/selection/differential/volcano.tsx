import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { useCallback, useId, useMemo } from "react";
import { Button } from "../../../../components/button.tsx";
import { fileName } from "../../../../components/save-drawing.ts";
import { toast } from "../../../../components/toast-store.ts";
import { Drawing } from "../../plots/figure/plot-figure.tsx";
import { saveSheet } from "../../plots/figure/sheet.ts";
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
  const { mayExport, projectName, store } = useViewer();
  const id = useId();
  const figure = useMemo(() => volcanoFigure(title, table, thresholds), [title, table, thresholds]);
  const colorBy = useCallback((gene: string) => store.setState({ colorBy: "gene", gene }), [store]);
  const save = (kind: "png" | "svg"): void => {
    saveSheet(kind, figure, projectName, fileName(projectName, "volcano", title)).catch(() =>
      toast(texts.saveFailed, { failed: true }),
    );
  };
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
        <p className="flex justify-end gap-1">
          {(["png", "svg"] as const).map((kind) => (
            <Button
              key={kind}
              size="sm"
              variant="ghost"
              aria-label={texts.saveAs[kind]}
              onClick={() => save(kind)}
            >
              {texts.save[kind]}
            </Button>
          ))}
        </p>
      )}
    </figure>
  );
}
