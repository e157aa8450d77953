import { NUCLEI_FILE } from "@stipple/contract/viewer-manifest";
import {
  nearCells,
  type NearCells,
  type NearDrawing,
  type OutlineData,
} from "../draw/near-cells.ts";
import type { SceneState } from "./scene-state.ts";

export type CloseUp = ReturnType<typeof closeUp>;

/** What replaces the dots of all cells in a close view: outlines of cells and nuclei; `onChange`: draw again. */
export function closeUp(
  state: SceneState,
  onChange: () => void,
  onMissing: (isMissing: boolean) => void,
) {
  const { source, eye, points } = state;
  let cells: NearCells | undefined;
  let nuclei: NearCells | undefined;
  const outlines = (file: string, offsets: Uint32Array) => {
    const { positions } = points;
    const outlined = { source, file, offsets, positions, grid: points.grid() };
    return nearCells(outlined, onChange, onMissing);
  };
  return {
    /** Undefined if the view is not close enough, shows too many cells, or has no outlines. */
    look(): (NearDrawing & { nuclei: OutlineData | undefined }) | undefined {
      const { rgba, layers, polygonOffsets, nucleusOffsets } = state.content!;
      if (!polygonOffsets || !layers.outlines || !layers.cells || !eye.isClose()) return undefined;
      cells ??= outlines(source.manifest.polygonTiles.file, polygonOffsets);
      const drawing = cells.look(eye.box(), rgba);
      if (!drawing || !layers.nuclei || !nucleusOffsets)
        return drawing && { ...drawing, nuclei: undefined };
      nuclei ??= outlines(NUCLEI_FILE, nucleusOffsets);
      return { ...drawing, nuclei: nuclei.look(eye.box(), rgba)?.outlines };
    },
    /** Whether outlines are still to be loaded. */
    isWaiting: () => cells?.isWaiting() === true || nuclei?.isWaiting() === true,
    /** Drops what belongs to the cells so far. */
    close(): void {
      cells?.close();
      nuclei?.close();
      cells = nuclei = undefined;
    },
  };
}
