import { platformById } from "@stipple/contract/platforms/index";
import { describedFile } from "@stipple/contract/recognition/testing/contents";
import { FOLDERS } from "@stipple/contract/recognition/testing/folders";
import { describe, expect, it } from "vitest";
import { refusals } from "./texts.ts";
import { assignFiles } from "./assign-files.ts";
import { acceptAttribute, isSmallImage, prepared, slotRefusal } from "./slot-files.ts";

const SLOTS = platformById("visium").slots;
const slot = (id: string) => SLOTS.find((candidate) => candidate.id === id)!;

async function picked(line: string) {
  const { path, bytes } = await describedFile(line);
  const file = new File([bytes as Uint8Array<ArrayBuffer>], path.split("/").at(-1)!);
  return { file, path };
}

const file = async (line: string) => (await picked(line)).file;

describe("chosen files", () => {
  it.each(FOLDERS)("agree with the command line on $name", async (folder) => {
    const { platform = "visium", resolution, takes = {}, names = {}, fault } = folder;
    const files = await Promise.all(folder.files.map((line) => picked(`dropped/${line}`)));
    const found = await assignFiles(files, { platform, resolution });
    const paths = found.matched.map(({ slot, file }) => [
      slot.id,
      files.find((each) => each.file === file)!.path.replace("dropped/", ""),
    ]);
    // Without being chosen, Space Ranger's cells are not taken.
    const { cells: _cells, ...expected } = takes;
    expect(Object.fromEntries(paths)).toEqual(fault && !folder.takes ? {} : expected);
    const sentences = [...found.refused, ...found.skipped].join("\n").replaceAll("dropped/", "");
    for (const words of [...Object.values(names), ...(fault ? [fault] : [])]) {
      expect(sentences).toContain(words);
    }
  });

  it("are named with what to do if their type is not accepted", async () => {
    const expected = {
      "slide.tiff": "Rename it to slide.tif",
      "slide.svs": "Rename it to slide.tif",
      "slide.czi": "export the image",
      "outs.zip": "is an archive: unpack it",
      "notes.docx": "doesn't match any expected file",
    };
    for (const [name, words] of Object.entries(expected)) {
      const { matched, refused } = await assignFiles([await picked(name)], { platform: "visium" });
      expect(matched).toEqual([]);
      expect(refused).toEqual([expect.stringContaining(words)]);
    }
  });

  it("take Space Ranger's cells and a reference only if chosen", async () => {
    const lines = ["cell_segmentations.geojson", "annotated.h5ad"];
    const chosen = await assignFiles(await Promise.all(lines.map(picked)), { platform: "visium" });
    expect(chosen.matched.map(({ slot }) => slot.id)).toEqual(["reference", "cells"]);
    const found = await Promise.all(lines.map((line) => picked(`outs/segmented_outputs/${line}`)));
    const dropped = await assignFiles(found, { platform: "visium" });
    expect(dropped.matched).toEqual([]);
    expect(dropped).toMatchObject({ refused: [], skippedCount: 2 });
  });
});

describe("a slot's own file input", () => {
  it("accepts any name with the right extension, but not another slot's file", async () => {
    expect(await slotRefusal(SLOTS, slot("h5"), await file("my sample.H5"))).toBeUndefined();
    expect(await slotRefusal(SLOTS, slot("positions"), await file("spots.csv"))).toBeUndefined();
    expect(await slotRefusal(SLOTS, slot("barcodes"), await file("features.tsv.gz"))).toBe(
      refusals.belongsElsewhere("Features"),
    );
    expect(await slotRefusal(SLOTS, slot("he_image"), await file("slide.tiff"))).toBe(
      "slide.tiff is not accepted as Histology image: accepted types are .tif and .btf. Rename it to slide.tif; the content stays as it is.",
    );
    expect(await slotRefusal(SLOTS, slot("matrix"), await file("matrix.txt"))).toBe(
      "matrix.txt is not accepted as Matrix: accepted types are .mtx.gz.",
    );
    expect(await slotRefusal(SLOTS, slot("he_image"), await file('image.tif = "notes'))).toMatch(
      /^image\.tif is a text file, not a TIFF, PNG, or JPEG image/,
    );
  });

  it("packs and unpacks tables as the slot accepts them", async () => {
    for (const [id, line, name] of [
      ["positions", "GSM1_tissue_positions.csv.gz", "GSM1_tissue_positions.csv"],
      ["scale", "scalefactors_json.json.gz", "scalefactors_json.json"],
      ["barcodes", "barcodes.tsv", "barcodes.tsv.gz"],
      ["matrix", "matrix.mtx.gz", "matrix.mtx.gz"],
      // As text after a quote mark, the content is not packed.
      ["barcodes", 'barcodes.tsv.gz = "AAACAAGTATCTCCCA-1\\n', "barcodes.tsv.gz"],
      ["positions", 'positions.csv.gz = "AAACAAGTATCTCCCA-1,1,0,0,5,5\\n', "positions.csv"],
    ] as const) {
      const given = await file(line);
      expect(await slotRefusal(SLOTS, slot(id), given)).toBeUndefined();
      const ready = await prepared(slot(id), given);
      expect(ready.name).toBe(name);
      const [first] = new Uint8Array(await ready.slice(0, 1).arrayBuffer());
      expect(first === 0x1f).toBe(name.endsWith(".gz"));
    }
    await expect(
      prepared(slot("positions"), await file('p.csv.gz = "\x1f\x8b\x08')),
    ).rejects.toThrow();
  });

  it("requests extensions that the picker understands", () => {
    expect(acceptAttribute(slot("barcodes"))).toBe(".tsv.gz,.gz");
    expect(acceptAttribute(slot("he_image"))).toBe(".tif,.btf");
  });

  it("warns below 100 MB, only for the histology image", () => {
    expect(isSmallImage(slot("he_image"), { size: 100 * 1024 * 1024 - 1 })).toBe(true);
    expect(isSmallImage(slot("he_image"), { size: 100 * 1024 * 1024 })).toBe(false);
    expect(isSmallImage(slot("hires"), { size: 1 })).toBe(false);
  });
});
