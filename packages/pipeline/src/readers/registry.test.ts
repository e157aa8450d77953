import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  acceptedExtension,
  missingSlots,
  PLATFORMS,
  platformById,
  type PlatformId,
} from "@stipple/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../errors.ts";
import { findSampleFiles } from "./find-sample-files.ts";
import { readerOf } from "./registry.ts";
import { samplePaths } from "./sample-files.ts";
import { PLATFORM_FIXTURES, type PlatformFixture } from "./testing/platform-fixtures.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "stipple-platforms-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function open(platform: PlatformId, folder: string, { resolution }: PlatformFixture) {
  const files = await findSampleFiles(folder, { platform, resolution });
  const sample = await readerOf(platform).open(files, { resolution });
  const counted = await sample.readCounts({ warn: (message) => expect(message).toBe("") });
  return { files, sample, counted };
}

describe.each(PLATFORMS.map(({ id }) => id))("the reader of %s", (id) => {
  const platform = platformById(id);
  let folder: string;
  let fixture: PlatformFixture;
  beforeAll(async () => {
    folder = join(root, id);
    await mkdir(folder);
    fixture = await PLATFORM_FIXTURES[id](folder);
  });

  it("is paired with the contract entry", () => {
    expect(readerOf(id).id).toBe(id);
  });

  it("opens a sample in the common form", async () => {
    const { files, sample, counted } = await open(id, folder, fixture);
    expect(files.layout).not.toBe("");
    expect(samplePaths(files)).toEqual(
      expect.arrayContaining(Object.values(fixture.files).toSorted()),
    );
    const { positions, scale, words } = sample;
    expect(Object.values(words)).not.toContain("");
    expect(words.noun).toBe(platform.spotNoun);
    expect(positions.barcode).toHaveLength(fixture.nPlaces);
    expect(scale).toMatchObject({ spotShape: platform.spotShape, warnings: [] });
    expect(scale.micronsPerPixel).toBeCloseTo(fixture.micronsPerPixel, 6);
    expect([scale.pitchUm, scale.spotSizeUm]).toEqual([fixture.pitchUm, fixture.spotSizeUm]);
    expect([...counted.barcode].sort()).toEqual([...fixture.spots.keys()].sort());
    const { counts, genes } = counted;
    counted.barcode.forEach((name, row) => {
      const truth = fixture.spots.get(name)!;
      const at = counted.position[row];
      expect(positions.inTissue[at]).toBe(1);
      expect(positions.x[at]).toBeCloseTo(truth.x, 6);
      expect(positions.y[at]).toBeCloseTo(truth.y, 6);
      const found: Record<string, number> = {};
      for (let k = counts.indptr[row]; k < counts.indptr[row + 1]; k++) {
        found[genes.symbol[counts.indices[k]]] = counts.data[k];
      }
      expect(found).toEqual(truth.counts);
    });
  });

  it("finds the same sample as left by an upload, and reports each required file that is missing", async () => {
    const flat = join(root, `${id}-flat`);
    await mkdir(flat);
    const slots = platform.slots.filter((slot) => slot.id in fixture.files);
    for (const slot of slots) {
      const path = fixture.files[slot.id];
      const extension = acceptedExtension(slot, path);
      expect(extension, path).toBeDefined();
      await cp(path, join(flat, `${slot.storedAs}${extension}`));
    }
    expect(slots).toHaveLength(Object.keys(fixture.files).length);
    const { counted } = await open(id, flat, fixture);
    expect(counted.barcode).toHaveLength(fixture.spots.size);

    const filled = new Set(slots.map((slot) => slot.id));
    expect(missingSlots(id, filled)).toEqual([]);
    const needed = missingSlots(id, new Set());
    expect(needed.length).toBeGreaterThan(1);
    for (const slot of needed) {
      const without = new Set([...filled].filter((other) => other !== slot.id));
      expect(missingSlots(id, without)).toEqual([slot]);
    }
  });

  it("is suggested in one sentence if another platform was chosen", async () => {
    for (const other of PLATFORMS) {
      if (other.id === id) continue;
      const error = await open(other.id, folder, fixture).then(
        () => null,
        (cause: unknown) => cause,
      );
      expect(error, `${id} as ${other.id}`).toBeInstanceOf(InputError);
      expect((error as InputError).message).toMatch(
        new RegExp(`set the platform to ${platform.label}.*\\.$`),
      );
    }
  });
});

it("gives every platform its own id, label, and names of stored files", () => {
  for (const key of ["id", "label"] as const) {
    expect(new Set(PLATFORMS.map((platform) => platform[key])).size).toBe(PLATFORMS.length);
  }
  for (const { slots, requires } of PLATFORMS) {
    const addresses = slots.map(
      ({ group, ...slot }) => `${group}/${"part" in slot ? slot.part : ""}`,
    );
    expect(new Set(addresses).size).toBe(slots.length);
    expect(new Set(slots.map(({ storedAs }) => storedAs)).size).toBe(slots.length);
    const ids: string[] = slots.map((slot) => slot.id);
    expect(ids).toEqual(expect.arrayContaining(requires.flatMap(({ oneOf }) => oneOf.flat())));
  }
});
