import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import type { SampleFiles } from "../../readers/sample-files.ts";

/** Writes input files that belong to simulated results, and says which is what. */
export async function writeSimulatedInput(root: string, sidePx: number): Promise<SampleFiles> {
  await mkdir(root, { recursive: true });
  const at = (name: string): string => join(root, name);
  const picture = (side: number): Sharp =>
    sharp({
      create: { width: side, height: side, channels: 3, background: "#d8a8c8" },
    });
  const hires = Math.min(600, sidePx);
  const lowres = Math.min(180, sidePx);
  await picture(sidePx).tiff({ tile: true }).toFile(at("tissue.tif"));
  await picture(hires).png().toFile(at("tissue_hires_image.png"));
  await picture(lowres).png().toFile(at("tissue_lowres_image.png"));
  await writeFile(
    at("scalefactors_json.json"),
    JSON.stringify({
      tissue_hires_scalef: hires / sidePx,
      tissue_lowres_scalef: lowres / sidePx,
      spot_diameter_fullres: 130,
      fiducial_diameter_fullres: 210,
    }),
  );
  for (const name of ["barcodes.tsv.gz", "features.tsv.gz", "matrix.mtx.gz", "positions.csv"]) {
    await writeFile(at(name), `content of ${name}\n`);
  }
  return {
    root,
    layout: "simulated",
    matrix: {
      format: "mex",
      barcodes: at("barcodes.tsv.gz"),
      features: at("features.tsv.gz"),
      matrix: at("matrix.mtx.gz"),
    },
    positions: { path: at("positions.csv"), format: "csv" },
    scalefactors: at("scalefactors_json.json"),
    hires: at("tissue_hires_image.png"),
    lowres: at("tissue_lowres_image.png"),
    image: at("tissue.tif"),
  };
}
