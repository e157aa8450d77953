import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import type { Spots } from "../capture/spots.ts";
import type { Raster } from "../paint/he-image.ts";

const HIRES_PX = 2000;
const LOWRES_PX = 600;
/** Space Ranger's spot_diameter_fullres is nominally 65 µm although spots measure 55. */
const NOMINAL_SPOT_UM = 65;
const FIDUCIAL_UM = 105;

/** Writes spatial/: positions with a header (Space Ranger 2 and later), scale factors and the two previews. */
export async function writeSpatial(
  outs: string,
  spots: Spots,
  raster: Raster,
  umPerPx: number,
): Promise<void> {
  const folder = join(outs, "spatial");
  await mkdir(folder, { recursive: true });
  const lines = ["barcode,in_tissue,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres"];
  for (let spot = 0; spot < spots.count; spot++) {
    const x = Math.round(spots.x[spot]! / umPerPx);
    const y = Math.round(spots.y[spot]! / umPerPx);
    lines.push(
      `${spots.barcode[spot]},${spots.inTissue[spot]},${spots.arrayRow[spot]},${spots.arrayCol[spot]},${y},${x}`,
    );
  }
  await writeFile(join(folder, "tissue_positions.csv"), `${lines.join("\n")}\n`);
  const longest = Math.max(raster.width, raster.height);
  const preview = async (name: string, side: number): Promise<number> => {
    const scale = Math.min(1, side / longest);
    await picture(raster)
      .resize(Math.round(raster.width * scale), Math.round(raster.height * scale))
      .png({ compressionLevel: 6 })
      .toFile(join(folder, name));
    return scale;
  };
  const hires = await preview("tissue_hires_image.png", HIRES_PX);
  const lowres = await preview("tissue_lowres_image.png", LOWRES_PX);
  const factors = {
    spot_diameter_fullres: NOMINAL_SPOT_UM / umPerPx,
    tissue_hires_scalef: hires,
    fiducial_diameter_fullres: FIDUCIAL_UM / umPerPx,
    tissue_lowres_scalef: lowres,
  };
  await writeFile(join(folder, "scalefactors_json.json"), JSON.stringify(factors));
}

/** Writes the full-resolution image: tiled, deflate-compressed TIFF with its pixel size; BigTIFF beyond 2 Gpx. */
export async function writeImage(path: string, raster: Raster, umPerPx: number): Promise<void> {
  const perMm = 1000 / umPerPx;
  await picture(raster)
    .tiff({
      compression: "deflate",
      predictor: "horizontal",
      tile: true,
      tileWidth: 256,
      tileHeight: 256,
      xres: perMm,
      yres: perMm,
      resolutionUnit: "cm",
    })
    .toFile(path);
}

function picture(raster: Raster): Sharp {
  return sharp(raster.rgb, {
    raw: { width: raster.width, height: raster.height, channels: 3 },
    limitInputPixels: false,
  });
}
