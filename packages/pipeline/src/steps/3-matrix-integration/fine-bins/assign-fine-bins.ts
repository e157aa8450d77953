import { FINE_BIN_UM } from "../../../readers/hd-visium/read-fine-bins.ts";
import type { BleedModel } from "../../../facts.ts";
import type { StepContext } from "../../../step.ts";
import type { IntegrationParameters } from "../step.ts";
import { fineGrid } from "./bin-grid.ts";
import { binOwners } from "./bin-owners.ts";
import { fineCapture } from "./fine-capture.ts";
import { shareFineBins } from "./share-fine-bins.ts";

/**
 * Assigns the array's finest bins to cells, if the sample has them and they are requested. `observed`: cells
 * touched by a larger bin; other cells have no counts in the finest bins either, since those are parts of the
 * larger ones.
 */
export async function assignFineBins(
  context: StepContext<IntegrationParameters>,
  observed: Uint8Array,
  bleed: BleedModel,
  progress: (fraction: number) => void,
): Promise<void> {
  const { files, params, read, write, log, warn, signal } = context;
  const path = files.fineBins ?? null;
  if (path === null || !params.fineBins) return;
  const scale = await read("sample/scale");
  const grid = fineGrid(
    await read("spots/array"),
    await read("spots/xy"),
    Math.round(scale.spotSizeUm / FINE_BIN_UM),
  );
  if (!grid) {
    warn(
      `The ${FINE_BIN_UM} µm bins were not used because the positions of the ${scale.spotSizeUm} µm bins do not form a grid: use Space Ranger's original tissue_positions.parquet.`,
    );
    return;
  }
  const totals = await read("spots/total_counts");
  const cells = {
    nuclei: await read("nuclei/polygon"),
    outlines: await read("cells/polygon"),
    xy: await read("cells/xy"),
    may: observed,
  };
  const owners = binOwners(grid, cells, params.fineReachUm / FINE_BIN_UM);
  const capture = await fineCapture({
    grid,
    owners,
    cellXy: cells.xy,
    areaUm2: await read("cells/area_um2"),
    bleed,
    signal,
  });
  await write("cells/fine_capture", capture);
  const fine = await shareFineBins({
    path,
    grid,
    owners,
    nCells: observed.length,
    genes: await read("genes/id"),
    observed: totals,
    signal,
    progress,
  });
  await write("cells/fine_counts", fine.counts);
  await write("cells/fine_efficiency", fine.efficiency);
  await write("genes/fine_total", fine.total);
  await write("genes/fine_unassigned", fine.unassigned);
  await write("sample/fine_bins", { ...fine.report, reachUm: params.fineReachUm });
  const { nBins, counts } = fine.report;
  const percent = (part: number): string => `${((100 * part) / Math.max(1, counts)).toFixed(0)}%`;
  log(
    `${nBins.toLocaleString("en")} ${FINE_BIN_UM} µm bins with ${counts.toLocaleString("en")} UMIs: ${percent(fine.report.countsInNuclei)} in nuclei, ${percent(fine.report.countsInCells)} in cells around them, ${percent(fine.report.countsNearest)} within ${params.fineReachUm} µm of a nucleus, ${percent(fine.report.countsUnassigned)} without a cell.`,
  );
}
