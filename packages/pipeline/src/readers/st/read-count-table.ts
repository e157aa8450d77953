import { basename } from "node:path";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { selectGenes, SparseBuilder } from "../counts/count-matrix.ts";
import { readLines } from "../counts/read-text.ts";
import type { PlacedCounts, Sample } from "../sample.ts";
import { separatorOf, splitCells, type Separator } from "../tables/split-cells.ts";
import type { SpotCoordinates, SpotName } from "./read-coordinates.ts";

type Options = Parameters<Sample["readCounts"]>[0] & {
  coordinates: SpotCoordinates;
  positionsFile: string;
};

const WANTED = {
  what: "the table of counts",
  remedy: "use the table of raw counts as tab-separated text, spots × genes",
};

/** Names that read counters give to entries that are not genes, and what these are. */
const READS = "reads without a gene";
const NO_GENE = /^_*(ambiguous|no_feature|not_aligned|alignment_not_unique|too_low_aqual)/i;

/**
 * Reads a count table line by line: spots × genes, or genes × spots, with spots named by their array position
 * ("10x12"). Only counts of spots in tissue are kept. Throws {@link InputError} that names the line and spot.
 * O(cells of the table).
 */
export async function readCountTable(path: string, options: Options): Promise<PlacedCounts> {
  const table = new CountTable(basename(path), options);
  let lineNumber = 0;
  for await (const line of readLines(path, WANTED)) {
    lineNumber++;
    if (line === "") continue;
    throwIfCancelled(options.signal);
    table.take(line, lineNumber);
  }
  return table.finish();
}

interface KeptSpot {
  name: string;
  position: number;
  genes: number[];
  counts: number[];
}

class CountTable {
  readonly #file: string;
  readonly #options: Options;
  #separator: Separator = "\t";
  /** Column names; null before the first line. */
  #header: string[] | null = null;
  #spotsAreRows = true;
  /** The spot of each column, null for one that is left out; empty if spots are rows. */
  #columns: (KeptSpot | null)[] = [];
  readonly #genes: string[] = [];
  readonly #kept: KeptSpot[] = [];
  readonly #seen = new Set<string>();
  #firstName: string | null = null;
  #firstUnplaced: string | null = null;
  #unplaced = 0;

  constructor(file: string, options: Options) {
    this.#file = file;
    this.#options = options;
  }

  take(line: string, lineNumber: number): void {
    if (this.#header === null) this.#separator = separatorOf([line]) ?? "\t";
    const parts = line.includes('"')
      ? splitCells(line, this.#separator)
      : line.split(this.#separator);
    if (this.#header === null) {
      this.#header = parts.map(unquoted);
      return;
    }
    if (this.#seen.size === 0 && this.#genes.length === 0) this.#begin(parts.length);
    if (parts.length !== this.#header.length + 1) {
      this.#fail(
        `has ${parts.length - 1} counts in line ${lineNumber}, but ${this.#header.length} names in its first line`,
        "the table is cut off or damaged; copy it again",
      );
    }
    const label = unquoted(parts[0]);
    const row = this.#spotsAreRows ? this.#spot(label) : null;
    if (!this.#spotsAreRows) this.#genes.push(label);
    if (this.#spotsAreRows && row === null) return;
    for (let at = 1; at < parts.length; at++) {
      const text = parts[at];
      if (text === "0") continue;
      const count = text === "" ? Number.NaN : Number(text);
      const spot = row ?? this.#columns[at - 1];
      if (spot === null) continue;
      if (!Number.isInteger(count) || count < 0) {
        this.#fail(
          `has an invalid count in line ${lineNumber} ("${text.slice(0, 20)}" for ${label} and ${this.#header[at - 1]})`,
          "raw counts (whole numbers) are needed, not normalized values",
        );
      }
      if (count === 0) continue;
      spot.genes.push(this.#spotsAreRows ? at - 1 : this.#genes.length - 1);
      spot.counts.push(count);
    }
  }

  /**
   * Determines from the first row whether the row names have a header, and whether spots are rows or columns.
   */
  #begin(width: number): void {
    if (this.#header!.length === width) this.#header!.shift();
    const names = this.#header!;
    this.#spotsAreRows = !names.slice(0, 20).every((name) => spotName(name) !== null);
    if (this.#spotsAreRows) for (const name of names) this.#genes.push(name);
    else this.#columns = names.map((name) => this.#spot(name));
  }

  /** The spot with this name, to be filled; null if its counts are not wanted. */
  #spot(name: string): KeptSpot | null {
    const place = spotName(name);
    if (place === null) {
      return this.#fail(
        `has a spot named "${name.slice(0, 30)}"`,
        "spots must be named by their position on the array, such as 10x12",
      );
    }
    this.#firstName ??= name;
    if (sampleName(name) !== sampleName(this.#firstName)) {
      this.#fail(
        `has spots of several samples (such as ${this.#firstName} and ${name.slice(0, 30)})`,
        "use the table of one sample, with the coordinates of its spots",
      );
    }
    const { coordinates } = this.#options;
    const position = coordinates.rowOf(place);
    const known = position === undefined ? name : coordinates.positions.barcode[position];
    if (this.#seen.has(known)) this.#fail(`lists the spot ${name} twice`, "keep one of them");
    this.#seen.add(known);
    if (position === undefined) {
      this.#firstUnplaced ??= name;
      this.#unplaced++;
      return null;
    }
    if (coordinates.positions.inTissue[position] === 0) return null;
    const spot = {
      name: coordinates.positions.barcode[position],
      position,
      genes: [],
      counts: [],
    };
    this.#kept.push(spot);
    return spot;
  }

  finish(): PlacedCounts {
    const { warn, positionsFile, coordinates } = this.#options;
    const { positions } = coordinates;
    if (this.#seen.size === 0 || this.#genes.length === 0) {
      this.#fail("contains no counts", "copy or upload the table again");
    }
    if (this.#unplaced === this.#seen.size) {
      this.#fail(
        `and ${positionsFile} have no spot in common (${this.#firstUnplaced} is not among ${positions.barcode[0]}, …)`,
        "take both tables from the same sample",
      );
    }
    if (this.#kept.length === 0) {
      this.#fail(
        `has no spot that ${positionsFile} marks as selected`,
        "check the selection of spots under tissue",
      );
    }
    if (this.#unplaced > 0) {
      warn(
        `${this.#unplaced} of ${this.#seen.size} spots in ${this.#file} (such as ${this.#firstUnplaced}) ${this.#unplaced === 1 ? "has" : "have"} no position in ${positionsFile} and ${this.#unplaced === 1 ? "was" : "were"} dropped.`,
      );
    }
    const types = this.#genes.map((name) => (NO_GENE.test(name) ? READS : ""));
    const genes =
      selectGenes(this.#genes, this.#genes, types) ??
      this.#fail("contains no genes", "copy or upload the table again");
    if (genes.id.slice(0, 50).every((id) => /^ENS[A-Z]*G\d+/.test(id))) {
      warn(
        `${this.#file} names genes by Ensembl IDs (such as ${genes.id[0]}), so marker genes can't be used to name cell types: use gene symbols, or provide a labeled reference with the same IDs.`,
      );
    }
    const size = this.#kept.reduce((sum, spot) => sum + spot.genes.length, 0);
    const builder = new SparseBuilder(this.#kept.length, genes.id.length, size);
    this.#kept.forEach((spot, row) =>
      spot.genes.forEach((column, k) => {
        const gene = genes.geneOf[column];
        if (gene >= 0) builder.add(row, gene, spot.counts[k]);
      }),
    );
    this.#options.progress?.(1);
    return {
      barcode: this.#kept.map(({ name }) => name),
      position: Uint32Array.from(this.#kept, ({ position }) => position),
      genes,
      counts: builder.finish().counts,
    };
  }

  #fail(what: string, remedy: string): never {
    throw new InputError(`${this.#file} ${what}: ${remedy}.`);
  }
}

function unquoted(text: string): string {
  return text.trim().replace(/^"(.*)"$/, "$1");
}

/** Parses "10x12", with or without R's X or a sample name in front; null for other names. */
function spotName(name: string): SpotName | null {
  const found = /^(?:X|.*_)?(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/.exec(name);
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}

/** What stands before "10x12" in a spot's name. */
function sampleName(name: string): string {
  return name.replace(/^X?\d+(\.\d+)?x[\d.]+$|(?<=_)[\d.]+x[\d.]+$/, "");
}
