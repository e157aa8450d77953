import { basename } from "node:path";
import { DEEPEST_FEATURE, LARGEST_FEATURE } from "@stipple/formats/limits";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { readTextPieces, type WantedText } from "../counts/read-text.ts";

/** The parts of an object that are read. */
export interface Feature {
  id?: unknown;
  geometry?: unknown;
  nucleusGeometry?: unknown;
  properties?: unknown;
}

type Fail = (what: string) => never;

/**
 * Reads a GeoJSON one object at a time: memory holds only one object's text. Throws {@link InputError}. O(bytes).
 */
export async function readFeatures(
  path: string,
  wanted: WantedText,
  take: (feature: Feature, fail: Fail) => void,
  signal?: AbortSignal,
): Promise<void> {
  const fail = (what: string, cause?: unknown): never => {
    throw new InputError(`${basename(path)} ${what}: ${wanted.remedy}.`, { cause });
  };
  const splitter = new FeatureSplitter(fail, (text) => {
    let feature: Feature;
    try {
      feature = JSON.parse(text) as Feature;
    } catch (cause) {
      return fail("is not valid GeoJSON", cause);
    }
    take(feature, fail);
  });
  for await (const piece of readTextPieces(path, wanted)) {
    throwIfCancelled(signal);
    splitter.take(piece);
  }
  if (!splitter.ended) {
    fail(splitter.begun ? "is incomplete: its list of objects is cut off" : "is not GeoJSON");
  }
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, BEGIN, END] = [34, 92, 123, 125, 91, 93];

/**
 * Extracts the objects of a document's "features" array, or of a document that is a list, however its bytes are split
 * into pieces.
 */
class FeatureSplitter {
  begun = false;
  ended = false;
  readonly #fail: Fail;
  readonly #give: (text: string) => void;
  #head = "";
  #rest: Buffer[] = [];
  #restBytes = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;

  constructor(fail: Fail, give: (text: string) => void) {
    this.#fail = fail;
    this.#give = give;
  }

  take(piece: Buffer): void {
    let at = 0;
    if (!this.begun) {
      this.#head += piece.toString("latin1");
      const found = /^\s*\[|"features"\s*:\s*\[/.exec(this.#head);
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
    if (this.#restBytes > LARGEST_FEATURE)
      this.#fail("has an outline that is cut off, or all cells in one object");
  }
}
