import { CELL_MEASURES } from "@stipple/contract/viewer-manifest";
import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { errorText } from "../../../../app/api.ts";
import { Button } from "../../../../components/button.tsx";
import { Segmented } from "../../../../components/segmented.tsx";
import { selectionTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { shownValueNames } from "../../coloring/shown-value-names.ts";
import type { CellColoring } from "../../coloring/use-coloring.ts";
import { measureQuery } from "../../data/use-values.ts";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";
import { FileSaving } from "../../sharing/file-saving.tsx";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { cellsOf } from "@stipple/viewer/cells";
import { PanelProblem, PanelSection } from "../panel/section.tsx";
import { cellsTable } from "./cells-table.ts";
import { csvFile } from "./csv.ts";

const texts = selectionTexts.export;

/** Saves all cells, or the selected ones, with everything known about them. */
export function ExportSection({ coloring }: { coloring: CellColoring }) {
  const selection = useViewerState((state) => state.selection);
  const [which, setWhich] = useState<"selection" | "all">("selection");
  const { run, progress, failed } = useCellExport(coloring, which);

  return (
    <PanelSection title={texts.title}>
      <FileSaving>
        {selection && (
          <Segmented
            label={texts.which}
            names={texts}
            choices={["selection", "all"]}
            value={which}
            onChange={setWhich}
          />
        )}
        <Button busy={progress !== null} icon={Download} onClick={() => void run()}>
          {progress === null ? texts.download : texts.writing(progress)}
        </Button>
      </FileSaving>
      <PanelProblem text={failed} />
      <p className="text-xs text-ink-3">{texts.hint}</p>
    </PanelSection>
  );
}

/** Writes the file of cells; `progress` is null while none is being written. */
function useCellExport(coloring: CellColoring, which: "selection" | "all") {
  const write = useCellsWriter(coloring);
  const [progress, setProgress] = useState<number | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  async function run(): Promise<void> {
    const { signal } = (leaving.current = new AbortController());
    setFailed(null);
    setProgress(0);
    try {
      await write(which === "all", { progress: setProgress, signal });
    } catch (error) {
      if (!signal.aborted) setFailed(texts.failed(errorText(error, viewerTexts.noAnswer)));
    }
    setProgress(null);
  }

  return { run, progress, failed };
}

/** Saves the selected cells, or all if asked for or if none are selected. */
function useCellsWriter(coloring: CellColoring) {
  const viewer = useViewer();
  const queries = useQueryClient();
  const names = useViewerState(shownValueNames);

  return async (
    wantsAll: boolean,
    writing: { progress: (share: number) => void; signal: AbortSignal },
  ): Promise<void> => {
    const { manifest, cells, computed, store, projectName } = viewer;
    const { edits, groups, layer, colorBy, selection } = store.getState();
    const measures = await Promise.all(
      CELL_MEASURES.filter((name) => manifest.columns[name]).map(async (name) => ({
        name,
        values: await queries.fetchQuery(measureQuery(viewer, name)),
      })),
    );
    const chosen = wantsAll ? null : selection;
    const columns = cellsTable({
      manifest,
      cells,
      computed,
      edits,
      groups,
      // In a file of all cells, which ones are selected.
      selection: chosen ? null : selection,
      measures,
      // A measure is already a column.
      values:
        colorBy === "measure"
          ? []
          : coloring.values.map((values, at) => ({
              name: `${names[at] ?? ""} (${viewerTexts.layers[layer].toLowerCase()})`,
              values,
              observedOnly: layer === "counts",
            })),
    });
    const members = chosen && cellsOf(chosen);
    const file = await csvFile(
      columns.map(({ name }) => name),
      members ? members.length : manifest.nCells,
      (at) => columns.map(({ field }) => field(members ? members[at]! : at)),
      writing,
    );
    saveFile(file, `${fileName(projectName, chosen ? "selected-cells" : "cells")}.csv`);
  };
}
