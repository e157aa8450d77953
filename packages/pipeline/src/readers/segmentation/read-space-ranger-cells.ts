import { basename } from "node:path";
import { InputError, throwIfCancelled } from "../../errors.ts";
import type { Polygons } from "@stipple/numerics/matrices";
import { readTextBeside } from "../counts/read-text.ts";
import { DEEPEST_FEATURE, LARGEST_FEATURE } from "@stipple/formats/limits";

const WANTED = {
  kinds: ["json", "text"],
  what: "the outlines of cells",
  remedy: "use the .geojson files from Space Ranger's segmented_outputs folder",
} as const;

/** Outlines from Space Ranger 4's segmentation, in full-resolution pixels; ring i of both belongs to ids[i]. */
export interface SpaceRangerCells {
  ids: Uint32Array;
  cells: Polygons;
  /** The cell's own ring if its nucleus is not listed. */
  nuclei: Polygons;
}

interface Outlines {
  ring: Map<number, Float32Array>;
}

/**
 * Reads `cell_segmentations.geojson` and, if present, `nucleus_segmentations.geojson` from `segmented_outputs`:
 * features with an integer `cell_id`, one at a time, so memory holds only the rings and one feature's text.
 * Throws {@link InputError}. O(points).
 */
export async function readSpaceRangerCells(
  files: { cells: string; nuclei: string | null },
  signal?: AbortSignal,
): Promise<SpaceRangerCells> {
  const cells = await readOutlines(files.cells, signal);
  const nuclei = files.nuclei === null ? null : await readOutlines(files.nuclei, signal);
  const ids = Uint32Array.from(cells.ring.keys()).sort();
  const file = basename(files.cells);
  if (ids.length === 0) {
    throw new InputError(`${file} contains no cell outlines: use the original Space Ranger file.`, {
      file,
    });
  }
  return {
    ids,
    cells: packed(ids, (id) => cells.ring.get(id)!),
    nuclei: packed(ids, (id) => nuclei?.ring.get(id) ?? cells.ring.get(id)!),
  };
}

function packed(ids: Uint32Array, ringOf: (id: number) => Float32Array): Polygons {
  const offsets = new Uint32Array(ids.length + 1);
  ids.forEach((id, i) => (offsets[i + 1] = offsets[i] + ringOf(id).length / 2));
  const xy = new Float32Array(2 * offsets[ids.length]);
  ids.forEach((id, i) => xy.set(ringOf(id), 2 * offsets[i]));
  return { offsets, xy };
}

async function readOutlines(path: string, signal: AbortSignal | undefined): Promise<Outlines> {
  const file = basename(path);
  const fail = (what: string, cause?: unknown): never => {
    throw new InputError(`${file} ${what}: use the original Space Ranger file.`, {
      file,
      cause,
    });
  };
  const ring = new Map<number, Float32Array>();
  const splitter = new FeatureSplitter(fail, (text) => {
    let feature: unknown;
    try {
      feature = JSON.parse(text);
    } catch (cause) {
      return fail("is not valid GeoJSON", cause);
    }
    const { id, outline } = outlineOf(feature);
    if (id === null || id > 0xffffffff) return fail("has a feature without an integer cell_id");
    if (outline === null) return fail(`has no polygon for cell ${id}`);
    if (ring.has(id)) return fail(`has two outlines for cell ${id}`);
    ring.set(id, outline);
  });
  for await (const piece of readTextBeside(path, WANTED)) {
    throwIfCancelled(signal);
    splitter.take(piece);
  }
  if (!splitter.ended) {
    fail(splitter.begun ? "is incomplete: its list of features is cut off" : "is not GeoJSON");
  }
  return { ring };
}

function outlineOf(feature: unknown): { id: number | null; outline: Float32Array | null } {
  const { properties, geometry } = feature as {
    properties?: { cell_id?: unknown } | null;
    geometry?: { type?: string; coordinates?: unknown } | null;
  };
  // Some versions write "cellid_000000717-1" for 717.
  const text = String(properties?.cell_id ?? "");
  const found = /^(?:cellid_)?0*(\d+)(?:-\d+)?$/.exec(text);
  const id = found ? Number(found[1]) : null;
  const { type, coordinates } = geometry ?? {};
  const polygons: unknown[] =
    type === "Polygon"
      ? [coordinates]
      : type === "MultiPolygon" && Array.isArray(coordinates)
        ? coordinates
        : [];
  const rings = polygons
    .map((polygon): unknown => (Array.isArray(polygon) ? polygon[0] : null))
    .filter(
      (ring): ring is unknown[][] =>
        Array.isArray(ring) && ring.length >= 3 && ring.every((point) => Array.isArray(point)),
    )
    .sort((a, b) => b.length - a.length);
  const [ring] = rings;
  if (!ring) return { id, outline: null };
  const [first, last] = [ring[0], ring[ring.length - 1]];
  const closed = first[0] === last[0] && first[1] === last[1];
  const points = closed ? ring.slice(0, -1) : ring;
  const outline = Float32Array.from(
    points.flatMap((point) => [Number(point[0]), Number(point[1])]),
  );
  return { id, outline: points.length >= 3 && outline.every(Number.isFinite) ? outline : null };
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, BEGIN, END] = [34, 92, 123, 125, 91, 93];

/** Extracts the objects of a document's "features" array, however its bytes are split into pieces. */
class FeatureSplitter {
  begun = false;
  ended = false;
  readonly #fail: (what: string) => never;
  readonly #give: (text: string) => void;
  #head = "";
  #rest: Buffer[] = [];
  #restBytes = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;

  constructor(fail: (what: string) => never, give: (text: string) => void) {
    this.#fail = fail;
    this.#give = give;
  }

  take(piece: Buffer): void {
    let at = 0;
    if (!this.begun) {
      this.#head += piece.toString("latin1");
      const found = /"features"\s*:\s*\[/.exec(this.#head);
      if (!found) {
        if (this.#head.length > LARGEST_FEATURE) this.#fail("is not GeoJSON");
        return;
      }
      this.begun = true;
      piece = Buffer.from(this.#head.slice(found.index + found[0].length), "latin1");
      this.#head = "";
    }
    let start = this.#depth > 0 ? 0 : -1;
    for (; at < piece.length && !this.ended; at++) {
      const byte = piece[at];
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inText = false;
      } else if (byte === QUOTE) {
        this.#inText = true;
      } else if (byte === OPEN || byte === BEGIN) {
        if (this.#depth++ === 0) start = at;
        if (this.#depth > DEEPEST_FEATURE) this.#fail("is not valid GeoJSON");
      } else if (byte === CLOSE || byte === END) {
        if (this.#depth === 0) {
          this.ended = true;
        } else if (--this.#depth === 0) {
          this.#rest.push(piece.subarray(start, at + 1));
          this.#give(Buffer.concat(this.#rest).toString("utf8"));
          this.#rest = [];
          this.#restBytes = 0;
          start = -1;
        }
      }
    }
    if (this.#depth === 0) return;
    this.#rest.push(Buffer.from(piece.subarray(start)));
    this.#restBytes += piece.length - start;
    if (this.#restBytes > LARGEST_FEATURE) this.#fail("has an outline that is cut off");
  }
}
