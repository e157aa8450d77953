import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { throwIfCancelled } from "../../errors.ts";
import { cellName } from "../../exports/cell-names.ts";
import { writeCellMetadata } from "../../exports/csv/cell-metadata.ts";
import { writeReliability } from "../../exports/csv/reliability.ts";
import { writeH5ad } from "../../exports/h5ad/write-h5ad.ts";
import { writeCellsGeoJson } from "../../exports/qupath/cells-geojson.ts";
import { defineStep } from "../../step.ts";
import { openRates } from "../4-vector-transformation/rates.ts";
import { clusterGroups, typeGroups } from "../6-projection-analysis/groups.ts";
import { checksumOf, type FileChecksum } from "./checksum.ts";
import { checkConservation, columnSums } from "./conservation.ts";
import {
  earlierSteps,
  environment,
  inputChecksums,
  STIPPLE_VERSION,
  type Provenance,
} from "./provenance.ts";
import { readmeText } from "./readme-text.ts";
import { libraryIdOf, spatialSlot } from "./spatial-slot.ts";
import { statisticsOf } from "./statistics.ts";

export const finalization = defineStep({
  number: 7,
  name: "Finalization",
  weight: 5,
  version: 1,
  reads: [
    "spots/barcode",
    "spots/counts",
    "genes/id",
    "genes/name",
    "genes/symbol",
    "sample/scale",
    "sample/image",
    "sample/quality",
    "sample/segmentation",
    "sample/bleed",
    "sample/typing",
    "image/stain",
    "cells/xy",
    "cells/polygon",
    "nuclei/polygon",
    "cells/area_um2",
    "cells/spot",
    "cells/observed",
    "cells/counts",
    "genes/unassigned",
    "genes/heldout_pcc",
    "genes/reliable",
    "cells/cluster",
    "cells/cell_type",
    "cells/confidence",
    "cells/X_pca",
    "cells/X_umap",
    "types/name",
    "types/color",
  ],
  writes: [],
  folders: ["analysis_results"],
  params: z.strictObject({}),
  async run(context) {
    const { read, progress, signal, log, warn } = context;
    const output = context.shared("analysis_results/output");
    await mkdir(output);
    const writeJson = (path: string, value: unknown): Promise<void> =>
      writeFile(path, `${JSON.stringify(value, null, 2)}\n`);

    const counts = await read("cells/counts");
    const unassigned = await read("genes/unassigned");
    const observed = columnSums(await read("spots/counts"));
    const assigned = columnSums(counts);
    const conservation = checkConservation(observed, assigned, unassigned);
    if (conservation.exact) {
      log(
        `Counts are conserved exactly: ${conservation.observedCounts} observed = ${conservation.assignedCounts} in cells + ${conservation.unassignedCounts} unassigned.`,
      );
    } else {
      warn(
        `Counts are not conserved for ${conservation.genesOff} genes (largest difference ${conservation.largestDifference}): do not rely on the counts layer, and report this.`,
      );
    }

    const scale = await read("sample/scale");
    const segmentation = await read("sample/segmentation");
    const barcodes = await read("spots/barcode");
    const genes = await read("genes/name");
    const reliable = await read("genes/reliable");
    const xy = await read("cells/xy");
    const areaUm2 = await read("cells/area_um2");
    const typeOf = await read("cells/cell_type");
    const clusterOf = await read("cells/cluster");
    const table = {
      xy,
      typeOf,
      typeNames: await read("types/name"),
      clusterOf,
      confidence: await read("cells/confidence"),
      observed: await read("cells/observed"),
      areaUm2,
      spotOf: await read("cells/spot"),
      barcodes,
    };
    const typeColors = await read("types/color");
    const geneIds = await read("genes/id");
    const heldoutPcc = await read("genes/heldout_pcc");
    const cellDiameterPx = (2 * Math.sqrt(median(areaUm2) / Math.PI)) / scale.micronsPerPixel;
    const sample = libraryIdOf(context.files.root);
    progress(0.05);

    const rates = await writeH5ad(
      join(output, "cell_expression_processed.h5ad"),
      {
        cellNames: Array.from({ length: xy.nRows }, (_, cell) => cellName(cell)),
        geneNames: genes,
        geneIds,
        ...table,
        types: typeGroups(typeOf, table.typeNames, typeColors),
        clusters: clusterGroups(clusterOf),
        spotIds: Array.from(table.spotOf, (spot) => barcodes[spot] ?? ""),
        umap: await read("cells/X_umap"),
        pca: await read("cells/X_pca"),
        counts,
        unassigned,
        heldoutPcc,
        reliable,
        rates: await openRates(context.earlier(0, "..")),
        spatial: await spatialSlot(context.files, cellDiameterPx),
        facts: {
          version: STIPPLE_VERSION,
          microns_per_pixel: scale.micronsPerPixel,
          segmentation_method: segmentation.method,
          platform: context.settings.platform,
          staining: context.settings.staining,
          analysis_type: context.settings.analysisType,
          seed: context.settings.seed,
        },
      },
      { signal, progress: (fraction) => progress(0.05 + 0.65 * fraction) },
    );
    log(
      rates.droppedBelow > 0
        ? `Wrote the h5ad with ${rates.entries} rates; those below ${rates.droppedBelow.toPrecision(3)} (${(100 * rates.droppedFraction).toFixed(2)}% of all inferred expression) are left out.`
        : `Wrote the h5ad with ${rates.entries} rates.`,
    );

    await writeCellMetadata(join(output, "cell_metadata.csv"), table, signal);
    await writeReliability(join(output, "reliability.csv"), {
      names: genes,
      ids: geneIds,
      heldoutPcc,
      reliable,
      observed,
      assigned,
      unassigned,
    });
    await writeCellsGeoJson(
      join(output, "cells.geojson"),
      {
        ...table,
        cells: await read("cells/polygon"),
        nuclei: await read("nuclei/polygon"),
        typeColors,
        halfSidePx: cellDiameterPx / 2,
        identity: `${sample} ${STIPPLE_VERSION} ${xy.nRows}`,
      },
      signal,
    );
    progress(0.8);
    await writeJson(
      join(output, "statistics.json"),
      statisticsOf(barcodes.length, genes.length, table.spotOf),
    );
    await writeFile(
      join(output, "README.txt"),
      readmeText({
        version: STIPPLE_VERSION,
        sample,
        nCells: xy.nRows,
        nGenes: genes.length,
        nReliable: reliable.reduce((sum, flag) => sum + flag, 0),
        droppedBelow: rates.droppedBelow,
      }),
    );

    const manifests = await earlierSteps(context.earlier);
    const provenance: Provenance = {
      ...environment(),
      created: new Date().toISOString(),
      settings: context.settings,
      seed: context.settings.seed,
      input: {
        layout: context.files.layout,
        files: await inputChecksums(context.files, signal, (fraction) =>
          progress(0.8 + 0.15 * fraction),
        ),
      },
      sample: {
        scale,
        image: await read("sample/image"),
        stain: await read("image/stain"),
        quality: await read("sample/quality"),
        segmentation,
        bleed: await read("sample/bleed"),
        typing: await read("sample/typing"),
      },
      steps: manifests.map(({ warnings: _warnings, ...manifest }) => manifest),
      conservation,
      rates,
      warnings: manifests.flatMap(({ step, warnings }) =>
        warnings.map((message) => ({ step, message })),
      ),
    };
    await writeJson(join(output, "provenance.json"), provenance);

    const exports: FileChecksum[] = [];
    for (const name of (await readdir(output)).sort()) {
      throwIfCancelled(signal);
      exports.push(await checksumOf(join(output, name), signal));
    }
    await writeJson(context.output("summary.json"), { folder: "analysis_results/output", exports });
    log(`Exported ${exports.map(({ file }) => file).join(", ")}.`);
  },
});

function median(values: Float32Array): number {
  return values.length === 0 ? 0 : values.toSorted()[Math.floor(values.length / 2)];
}
