import { basename } from "node:path";
import { ST } from "@stipple/contract/platforms/st";
import { InputError } from "../../errors.ts";
import { spotArrayScale } from "../lattice/spot-array-scale.ts";
import type { PlatformReader } from "../platform-reader.ts";
import { readCountTable } from "./read-count-table.ts";
import { readCoordinates } from "./read-coordinates.ts";

/** One count table, one table of spot coordinates, and the H&E image. */
export const stReader: PlatformReader = {
  id: "st",
  async open(files) {
    if (files.matrix.format !== "table") throw new Error("These counts are not a table");
    const { path } = files.matrix;
    const [positionsFile, countsFile] = [basename(files.positions.path), basename(path)];
    const notes: string[] = [];
    const coordinates = await readCoordinates(files.positions.path, (note) => notes.push(note));
    const { positions } = coordinates;
    const scale = spotArrayScale(positions, ST, positionsFile);
    if (!scale) {
      throw new InputError(
        `${positionsFile} has fewer than two different positions, so no scale can be derived: include the coordinates of all spots.`,
      );
    }
    return {
      positions,
      scale: { ...scale, warnings: [...notes, ...scale.warnings] },
      pictures: {},
      words: {
        noun: ST.spotNoun,
        positionsFile,
        countsFile,
        counts: "the table of raw counts of this sample",
        axes: "pixel_x is the column and pixel_y the row of the image",
      },
      async matchCounts() {
        const warn = (): void => undefined;
        return (await readCountTable(path, { warn, coordinates, positionsFile })).position;
      },
      readCounts: (options) => readCountTable(path, { ...options, coordinates, positionsFile }),
    };
  },
};
