import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import sharp, { type Sharp } from "sharp";
import type { Places } from "../capture/capture-array.ts";
import type { Raster } from "../paint/raster.ts";

const HIRES_PX = 2000;
const LOWRES_PX = 600;
/** Space Ranger's spot_diameter_fullres is nominally 65 µm, although spots measure 55 µm. */
const NOMINAL_SPOT_UM = 65;
const FIDUCIAL_UM = 105;

/**
 * Writes spatial/: positions (CSV with a header as in Space Ranger 2 and later; parquet with unrounded
 * positions for HD), scale factors, and the two previews.
 */
export async function writeSpatial(
  folder: string,
  array: Places,
  raster: Raster,
  umPerPx: number,
): Promise<void> {
  await mkdir(folder, { recursive: true });
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
  const hd = array.shape === "square";
  const factors = {
    spot_diameter_fullres: (hd ? array.sizeUm : NOMINAL_SPOT_UM) / umPerPx,
    ...(hd ? { bin_size_um: array.sizeUm, microns_per_pixel: umPerPx } : {}),
    tissue_hires_scalef: hires,
    fiducial_diameter_fullres: FIDUCIAL_UM / umPerPx,
    tissue_lowres_scalef: lowres,
  };
  await writeFile(join(folder, "scalefactors_json.json"), JSON.stringify(factors));
  if (hd) {
    await writePositionsParquet(join(folder, "tissue_positions.parquet"), array, umPerPx);
    return;
  }
  const lines = ["barcode,in_tissue,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres"];
  for (let spot = 0; spot < array.count; spot++) {
    const x = Math.round(array.x[spot] / umPerPx);
    const y = Math.round(array.y[spot] / umPerPx);
    lines.push(
      `${array.barcode[spot]},${array.inTissue[spot]},${array.arrayRow[spot]},${array.arrayCol[spot]},${y},${x}`,
    );
  }
  await writeFile(join(folder, "tissue_positions.csv"), `${lines.join("\n")}\n`);
}

async function writePositionsParquet(path: string, array: Places, umPerPx: number): Promise<void> {
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: "barcode", data: array.barcode, type: "STRING" },
      { name: "in_tissue", data: Array.from(array.inTissue), type: "INT32" },
      { name: "array_row", data: Array.from(array.arrayRow), type: "INT32" },
      { name: "array_col", data: Array.from(array.arrayCol), type: "INT32" },
      {
        name: "pxl_row_in_fullres",
        data: Array.from(array.y, (value) => value / umPerPx),
        type: "DOUBLE",
      },
      {
        name: "pxl_col_in_fullres",
        data: Array.from(array.x, (value) => value / umPerPx),
        type: "DOUBLE",
      },
    ],
  });
  await writeFile(path, Buffer.from(buffer));
}

/**
 * Writes the full-resolution image with its pixel size: a tiled, deflate-compressed TIFF, RGB for H&E, one
 * 16-bit page per channel for fluorescence.
 */
export async function writeImage(path: string, raster: Raster, umPerPx: number): Promise<void> {
  const perMm = 1000 / umPerPx;
  const { channels, width, height } = raster;
  const image =
    channels === null
      ? picture(raster)
      : sharp(channels.values, {
          raw: { width, height: height * channels.names.length, channels: 1, pageHeight: height },
          limitInputPixels: false,
        }).toColourspace("grey16");
  await image
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
  return sharp(raster.preview, {
    raw: { width: raster.width, height: raster.height, channels: 3 },
    limitInputPixels: false,
  });
}
