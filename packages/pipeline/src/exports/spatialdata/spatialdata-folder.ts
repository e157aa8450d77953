import { join } from "node:path";
import type { AlignmentScale } from "../../facts.ts";
import type { Matrix } from "../../fields.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { cellRing, nucleusRing, type Outlines } from "../rings.ts";
import { AnnDataZarr } from "../zarr/anndata-zarr.ts";
import { ZarrFolder } from "../zarr/zarr-folder.ts";
import { writeGeoParquet, type ShapeColumn, type Shapes } from "../parquet/geoparquet.ts";
import { writeLabels, type LabelFrame } from "./labels-raster.ts";
import { writeMultiscaleImage, type WrittenImage } from "./multiscale-image.ts";
import { transformations } from "./transformations.ts";

/** Column of a table that names its shapes. */
export const REGION_KEY = "region";

/** What a table's rows are: the shapes of an element, each named by the value of `instanceKey`. */
export interface TableRegion {
  region: string;
  instanceKey: "cell_id" | "barcode";
}

/**
 * A SpatialData object (container format 0.2, Zarr 3) being written. Everything lies in two coordinate systems:
 * "global", full-resolution pixels, and "microns".
 */
export class SpatialDataFolder {
  readonly #folder: ZarrFolder;
  readonly #micronsPerPixel: number;

  constructor(path: string, micronsPerPixel: number) {
    this.#folder = new ZarrFolder(path);
    this.#micronsPerPixel = micronsPerPixel;
    this.#folder.group("", {
      spatialdata_attrs: { version: "0.2", spatialdata_software_version: "0.7.3" },
    });
    for (const kind of ["images", "labels", "points", "shapes", "tables"]) this.#folder.group(kind);
  }

  /** images/tissue. `imageScale` = full-resolution pixels per pixel of the image. */
  image(image: TissueImage, imageScale: number, signal: AbortSignal): Promise<WrittenImage> {
    const micronsPerPixel = this.#micronsPerPixel;
    return writeMultiscaleImage(this.#folder, "images/tissue", image, {
      imageScale,
      micronsPerPixel,
      signal,
    });
  }

  /** labels/cell_labels: the outlines as a raster of cell_id, `frame.step` full-resolution pixels a pixel. */
  labels(outlines: Outlines, frame: LabelFrame, signal: AbortSignal): Promise<void> {
    return writeLabels(this.#folder, "labels/cell_labels", outlines, {
      ...frame,
      micronsPerPixel: this.#micronsPerPixel,
      signal,
    });
  }

  /** Outlines of cells (or of the spots that stand for them) under `name`, and their nuclei where they have any. */
  async cells(
    name: string,
    outlines: Outlines,
    withNuclei: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { nRows } = outlines.xy;
    await this.#shapes(
      name,
      {
        kind: "Polygon",
        nRows,
        geometryOf: (cell) => cellRing(outlines, cell),
        index: idColumn((cell) => cell + 1),
        columns: [],
      },
      signal,
    );
    if (!withNuclei) return;
    const cells = Uint32Array.from({ length: nRows }, (_, cell) => cell).filter(
      (cell) => nucleusRing(outlines, cell) !== null,
    );
    await this.#shapes(
      "nuclei",
      {
        kind: "Polygon",
        nRows: cells.length,
        geometryOf: (row) => nucleusRing(outlines, cells[row])!,
        index: idColumn((row) => cells[row] + 1),
        columns: [],
      },
      signal,
    );
  }

  /** Spots as circles, or HD bins as squares, by barcode. */
  async spots(
    barcodes: readonly string[],
    xy: Matrix,
    scale: Pick<AlignmentScale, "spotShape" | "spotSizeUm" | "micronsPerPixel">,
    clusters: Int32Array,
    signal: AbortSignal,
  ): Promise<void> {
    const half = scale.spotSizeUm / scale.micronsPerPixel / 2;
    const at = (spot: number): [number, number] => [xy.data[2 * spot], xy.data[2 * spot + 1]];
    const cluster: ShapeColumn = {
      name: "cluster",
      type: "int32",
      valueOf: (spot) => clusters[spot],
    };
    const shared = {
      nRows: barcodes.length,
      index: {
        name: "barcode",
        type: "string" as const,
        valueOf: (spot: number) => barcodes[spot],
      },
    };
    if (scale.spotShape === "disc") {
      const radius: ShapeColumn = { name: "radius", type: "float64", valueOf: () => half };
      await this.#shapes(
        "spots",
        {
          ...shared,
          kind: "Point",
          geometryOf: (spot) => Float64Array.from(at(spot)),
          columns: [radius, cluster],
        },
        signal,
      );
      return;
    }
    const square = (spot: number): Float64Array => {
      const [x, y] = at(spot);
      const [left, right, top, bottom] = [x - half, x + half, y - half, y + half];
      return Float64Array.of(left, top, right, top, right, bottom, left, bottom, left, top);
    };
    await this.#shapes(
      "spots",
      { ...shared, kind: "Polygon", geometryOf: square, columns: [cluster] },
      signal,
    );
  }

  /** tables/`name`, whose rows are shapes. */
  table(name: string, { region, instanceKey }: TableRegion): AnnDataZarr {
    return new AnnDataZarr(this.#folder, `tables/${name}`, {
      "spatialdata-encoding-type": "ngff:regions_table",
      region,
      region_key: REGION_KEY,
      instance_key: instanceKey,
      version: "0.2",
    });
  }

  /** Says in the table's uns (which must exist) what its rows are. */
  annotate(table: AnnDataZarr, { region, instanceKey }: TableRegion): void {
    table.group("uns/spatialdata_attrs");
    table.string("uns/spatialdata_attrs/region", region);
    table.string("uns/spatialdata_attrs/region_key", REGION_KEY);
    table.string("uns/spatialdata_attrs/instance_key", instanceKey);
  }

  finish(): void {
    this.#folder.finish();
  }

  async #shapes(name: string, shapes: Shapes, signal: AbortSignal): Promise<void> {
    this.#folder.group(`shapes/${name}`, {
      "encoding-type": "ngff:shapes",
      axes: ["x", "y"],
      coordinateTransformations: transformations(["x", "y"], [1, 1], this.#micronsPerPixel),
      spatialdata_attrs: { version: "0.3" },
    });
    await writeGeoParquet(
      join(this.#folder.path, "shapes", name, "shapes.parquet"),
      shapes,
      signal,
    );
  }
}

function idColumn(idOf: (row: number) => number): ShapeColumn {
  return { name: "cell_id", type: "int32", valueOf: idOf };
}
