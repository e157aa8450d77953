import { join } from "node:path";
import type { Tasks } from "@stipple/tasks/task";
import type { AlignmentScale } from "../../facts.ts";
import type { DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import type { Matrix } from "@stipple/numerics/matrices";
import { binRing } from "../../readers/lattice/bin-squares.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { cellRing, nucleusRing, hasNucleus, type Outlines } from "../rings.ts";
import { AnnDataZarr } from "../zarr/anndata-zarr.ts";
import { ZarrFolder } from "@stipple/formats/zarr/zarr-folder";
import {
  writeGeoParquet,
  type ShapeColumn,
  type Shapes,
} from "@stipple/formats/parquet/geoparquet";
import { declareLabels, drawLabels, type LabelFrame } from "./labels-raster.ts";
import { writeMultiscaleImage, type WrittenImage } from "./multiscale-image.ts";
import { transformations } from "./transformations.ts";

const CELL_LABELS = "cell_labels";
const LABELS = `labels/${CELL_LABELS}`;

/** Column of a table that names its shapes. */
export const REGION_KEY = "region";

/** The shapes that a table's rows represent: an element's shapes, each identified by its value of `instanceKey`. */
export interface TableRegion {
  region: string;
  instanceKey: "cell_id" | "barcode";
}

/**
 * A SpatialData object (container format 0.2, Zarr 3) being written. Everything is in two coordinate systems: "global",
 * full-resolution pixels, and "microns".
 */
export class SpatialDataFolder {
  readonly #folder: ZarrFolder;
  readonly #micronsPerPixel: number;

  /** `tasks` compress large matrices; without them, the caller does. */
  constructor(path: string, micronsPerPixel: number, tasks: Tasks | null = null) {
    this.#folder = new ZarrFolder(path, tasks);
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

  /**
   * labels/cell_labels: the outlines as a raster of cell_id, with `frame.step` full-resolution pixels per pixel.
   * `drawCellLabels` draws its chunks.
   */
  labels(frame: LabelFrame): void {
    declareLabels(this.#folder, LABELS, { ...frame, micronsPerPixel: this.#micronsPerPixel });
    // By this list, readers of OME-Zarr find them.
    this.#folder.describe("labels", { ome: { labels: [CELL_LABELS] } });
  }

  /**
   * Outlines of cells (or of the spots that stand in for them) or nuclei under `name`; returns the path of the file to
   * write.
   */
  cells(name: string): string {
    return this.#shapesFile(name);
  }

  /** Spots as circles, or HD bins as squares, by barcode. */
  async spots(
    barcodes: readonly string[],
    xy: Matrix,
    scale: Pick<AlignmentScale, "spotShape" | "spotSizeUm" | "micronsPerPixel" | "binAngle">,
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
      return binRing(...at(spot), 2 * half, scale.binAngle);
    };
    await this.#shapes(
      "spots",
      { ...shared, kind: "Polygon", geometryOf: square, columns: [cluster] },
      signal,
    );
  }

  /** shapes/regions: the user's regions by name, with their color and class ("" without one). */
  regions(
    regions: readonly (DrawnRegion & { color: string })[],
    signal: AbortSignal,
  ): Promise<void> {
    const text = (name: string, of: (region: DrawnRegion) => string | null): ShapeColumn => ({
      name,
      type: "string",
      valueOf: (row) => of(regions[row]) ?? "",
    });
    return this.#shapes(
      "regions",
      {
        kind: "MultiPolygon",
        nRows: regions.length,
        polygonsOf: (row) => regions[row].polygons,
        index: text("name", ({ name }) => name),
        columns: [text("color", ({ color }) => color), text("class", ({ kind }) => kind)],
      },
      signal,
    );
  }

  /** tables/`name`, whose rows represent shapes. */
  table(name: string, { region, instanceKey }: TableRegion): AnnDataZarr {
    return new AnnDataZarr(this.#folder, `tables/${name}`, {
      "spatialdata-encoding-type": "ngff:regions_table",
      region,
      region_key: REGION_KEY,
      instance_key: instanceKey,
      version: "0.2",
    });
  }

  /** Records in the table's uns (which must exist) what its rows represent. */
  annotate(table: AnnDataZarr, { region, instanceKey }: TableRegion): void {
    table.group("uns/spatialdata_attrs");
    table.string("uns/spatialdata_attrs/region", region);
    table.string("uns/spatialdata_attrs/region_key", REGION_KEY);
    table.string("uns/spatialdata_attrs/instance_key", instanceKey);
  }

  finish(): void {
    this.#folder.finish();
  }

  #shapes(name: string, shapes: Shapes, signal: AbortSignal): Promise<void> {
    return writeGeoParquet(this.#shapesFile(name), shapes, signal);
  }

  /** Declares a shapes element; returns the path of its file. */
  #shapesFile(name: string): string {
    this.#folder.group(`shapes/${name}`, {
      "encoding-type": "ngff:shapes",
      axes: ["x", "y"],
      coordinateTransformations: transformations(["x", "y"], [1, 1], this.#micronsPerPixel),
      spatialdata_attrs: { version: "0.3" },
    });
    return join(this.#folder.path, "shapes", name, "shapes.parquet");
  }
}

/** Draws the outlines into the labels declared in a SpatialData folder. */
export function drawCellLabels(
  path: string,
  outlines: Outlines,
  frame: LabelFrame,
  signal: AbortSignal,
): Promise<void> {
  return drawLabels(new ZarrFolder(path), LABELS, outlines, { ...frame, signal });
}

/** Writes outlines by cell_id: of cells, or of the nuclei of cells that have one. */
export function writeCellShapes(
  path: string,
  what: "cells" | "nuclei",
  outlines: Outlines,
  signal: AbortSignal,
): Promise<void> {
  const all = Uint32Array.from({ length: outlines.xy.nRows }, (_, cell) => cell);
  const ringOf = what === "cells" ? cellRing : nucleusRing;
  const cells = what === "cells" ? all : all.filter((cell) => hasNucleus(outlines, cell));
  return writeGeoParquet(
    path,
    {
      kind: "Polygon",
      nRows: cells.length,
      geometryOf: (row) => ringOf(outlines, cells[row])!,
      index: { name: "cell_id", type: "int32", valueOf: (row) => cells[row] + 1 },
      columns: [],
    },
    signal,
  );
}
