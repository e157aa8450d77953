import { expect, it } from "vitest";
import { droppedFiles } from "./dropped-files.ts";

interface Entry {
  isFile: boolean;
  fullPath: string;
}

const file = (fullPath: string, readable = true) => ({
  isFile: true,
  fullPath,
  file: (give: (file: object) => void, fail: (error: Error) => void) =>
    readable ? give({ name: fullPath }) : fail(new Error("NotFoundError")),
});
const folder = (fullPath: string, children: Entry[] | undefined) => ({
  isFile: false,
  fullPath,
  createReader() {
    const batches = [children, []];
    return {
      readEntries(give: (entries: Entry[]) => void, fail: (error: Error) => void) {
        const batch = batches.shift();
        if (batch) give(batch);
        else fail(new Error("NotReadableError"));
      },
    };
  },
});
const drop = (...entries: Entry[]) =>
  droppedFiles({
    items: entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entry })),
  } as unknown as DataTransfer);

it("accepts the readable part of a drop and names the rest", async () => {
  const { files, unreadable } = await drop(
    folder("/outs", [
      file("/outs/a.h5"),
      file("/outs/gone.bam", false),
      folder("/outs/locked", undefined),
      folder("/outs/spatial", [file("/outs/spatial/b.png")]),
    ]),
    file("/c.tif"),
  );
  expect(files.map(({ path }) => path)).toEqual(["outs/a.h5", "outs/spatial/b.png", "c.tif"]);
  expect(unreadable).toEqual(["outs/gone.bam", "outs/locked"]);
});
