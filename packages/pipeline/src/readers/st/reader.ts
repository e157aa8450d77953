import { basename } from "node:path";
import { ST } from "@stipple/contract/platforms/st";
import { InputError } from "../../errors.ts";
import { chooseImageFile, foldersBetween, type FoundFile } from "../folder.ts";
import { spotArrayScale } from "../lattice/spot-array-scale.ts";
import type { PlatformReader } from "../platform-reader.ts";
import { readCountTable } from "./read-count-table.ts";
import { readCoordinates } from "./read-coordinates.ts";

const TABLE = /\.(tsv|csv|txt)(\.gz)?$/;
const COORDINATES = /(spots?_|spots?\b|coord|selection)/;

const tables = (files: readonly FoundFile[]): FoundFile[] =>
  files.filter(({ name }) => TABLE.test(name) && !name.includes("tissue_positions"));
const coordinatesAmong = (files: readonly FoundFile[]): FoundFile[] =>
  tables(files).filter(({ name }) => COORDINATES.test(name));

/** A folder with one count table, one table of spot coordinates, and the H&E image. */
export const stReader: PlatformReader = {
  id: "st",
  sniff: (files) => coordinatesAmong(files)[0]?.name ?? null,
  async find({ root, shown, files, image }) {
    const coordinates = only(coordinatesAmong(files), shown, {
      what: "The spot coordinates are missing",
      wanted:
        "a table with x, y, pixel_x and pixel_y whose name has spot, coord or selection in it, such as spot_coordinates.tsv",
      several: "tables of spot coordinates",
    });
    const others = tables(files).filter(({ name }) => !COORDINATES.test(name));
    const counts = only(likeliest(others, coordinates), shown, {
      what: "The counts are missing",
      wanted: "a table of spots × genes, such as counts.tsv.gz",
      several: "tables that could hold the counts",
    });
    return {
      root,
      layout: `${ST.label} folder, positions in ${basename(coordinates.path)}, counts from ${basename(counts.path)}`,
      matrix: { format: "table", path: counts.path },
      positions: { format: "table", path: coordinates.path },
      scalefactors: null,
      hires: null,
      lowres: null,
      image: await chooseImageFile(files, {
        given: image,
        shown,
        pattern: /\.(jpe?g|png|tiff?|btf)$/,
        distance: ({ folder }) => foldersBetween(coordinates.folder, folder),
      }),
    };
  },
  async open(files) {
    if (files.matrix.format !== "table") throw new Error("These counts are not a table");
    const { path } = files.matrix;
    const [positionsFile, countsFile] = [basename(files.positions.path), basename(path)];
    const coordinates = await readCoordinates(files.positions.path);
    const { positions } = coordinates;
    const scale = spotArrayScale(positions, ST, positionsFile);
    if (!scale) {
      throw new InputError(
        `${positionsFile} has fewer than two different positions, so no scale can be derived: include the coordinates of all spots.`,
        { file: positionsFile },
      );
    }
    return {
      positions,
      scale,
      pictures: {},
      words: {
        positionsFile,
        countsFile,
        counts: "the table of raw counts of this sample",
        axes: "pixel_x is the column and pixel_y the row of the image",
      },
      readCounts: (options) => readCountTable(path, { ...options, coordinates, positionsFile }),
    };
  },
};

/**
 * The tables most likely to contain the counts: by name, then by distance from the coordinates in the folder
 * tree.
 */
function likeliest(found: readonly FoundFile[], coordinates: FoundFile): FoundFile[] {
  const rank = ({ name, folder }: FoundFile): number =>
    Number(/^counts\./.test(name)) * 1000 +
    Number(/count|stdata|matrix/.test(name)) * 100 +
    Number(name.includes(".tsv")) * 10 -
    foldersBetween(coordinates.folder, folder);
  const best = Math.max(...found.map(rank));
  return found.filter((file) => rank(file) === best);
}

function only(
  found: readonly FoundFile[],
  shown: string,
  words: { what: string; wanted: string; several: string },
): FoundFile {
  if (found.length === 1) return found[0];
  const names = found.slice(0, 4).map((file) => basename(file.path));
  throw new InputError(
    found.length === 0
      ? `${words.what} from ${shown}: copy ${words.wanted}, there.`
      : `${shown} contains ${found.length} ${words.several} (${names.join(", ")}${found.length > 4 ? ", …" : ""}): use a folder with those of one sample.`,
  );
}
