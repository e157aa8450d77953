import type { Matrix, Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import type { AlignmentScale, ImageFacts } from "../../facts.ts";
import type { CellGroups } from "../../figures/cells/draw-figures.ts";
import { clusterGroups, typeGroups } from "../../model/groups.ts";
import { rowNoun } from "../../model/row-noun.ts";
import type { StepContext } from "../../step.ts";

/** What statistics, figures, and the view are all made from. */
export interface GroupedSample extends CellGroups {
  /** nCells × 2, full-resolution pixels. */
  xy: Matrix;
  polygons: Polygons;
  /** nCells × nGenes, allocated. */
  counts: SparseMatrix;
  observed: Uint8Array;
  genes: string[];
  reliable: Uint8Array;
  scale: AlignmentScale;
  image: ImageFacts;
}

export async function readSample({ read }: Pick<StepContext, "read">): Promise<GroupedSample> {
  const scale = await read("sample/scale");
  const typeOf = await read("cells/cell_type");
  const clusterOf = await read("cells/cluster");
  return {
    rows: rowNoun(await read("sample/segmentation"), scale),
    typeOf,
    types: typeGroups(typeOf, await read("types/name"), await read("types/color")),
    clusterOf,
    clusters: clusterGroups(clusterOf),
    xy: await read("cells/xy"),
    polygons: await read("cells/polygon"),
    counts: await read("cells/counts"),
    observed: await read("cells/observed"),
    genes: await read("genes/name"),
    reliable: await read("genes/reliable"),
    scale,
    image: await read("sample/image"),
  };
}
