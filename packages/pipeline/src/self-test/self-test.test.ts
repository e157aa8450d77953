import { beforeAll, describe, expect, it } from "vitest";
import { median } from "@stipple/numerics/quantile";
import { ratesOfFields, runInMemory, type Fields } from "../store/in-memory.ts";
import { accuracy, type Accuracy } from "../steps/4-vector-transformation/testing/accuracy.ts";
import { step as vectorTransformation } from "../steps/4-vector-transformation/step.ts";
import {
  syntheticFields,
  syntheticTissue,
} from "../steps/4-vector-transformation/testing/synthetic-tissue.ts";
import { choosePart } from "./choose-part.ts";
import { MIN_COUNTS, runSelfTest } from "./run-self-test.ts";
import { drawTwin } from "./twin.ts";

const tissue = syntheticTissue({ seed: 5, sideUm: 800, nGenes: 60, morphology: 1 });
let fields: Fields;
let known: Accuracy;
const read = (key: keyof Fields) => Promise.resolve(fields[key] as never);
const options = { types: null, seed: 3, signal: new AbortController().signal };

beforeAll(async () => {
  fields = (await runInMemory(vectorTransformation, syntheticFields(tissue))).fields;
  known = accuracy(tissue, ratesOfFields(fields).column);
});

describe("the part of a sample that is tested", () => {
  it("is all of a small sample", () => {
    const part = choosePart(tissue.cellsXy, tissue.spotsXy, tissue.overlap, 1e6);
    expect(part.cells.length).toBe(tissue.nCells);
    expect(part.overlap.data).toEqual(tissue.overlap.data);
  });

  it("is a square around the middle of a large one, with the overlap inside it", () => {
    const part = choosePart(tissue.cellsXy, tissue.spotsXy, tissue.overlap, 800);
    expect(part.cells.length).toBe(800);
    expect(part.overlap.nRows).toBe(part.spots.length);
    expect(part.overlap.nCols).toBe(800);
    const spot = part.spots[4];
    const cell = part.cells[part.overlap.indices[part.overlap.indptr[4]]];
    const from = tissue.overlap.indptr[spot];
    const at = tissue.overlap.indices.indexOf(cell, from);
    expect(part.overlap.data[part.overlap.indptr[4]]).toBe(tissue.overlap.data[at]);
  });
});

describe("the twin", () => {
  it("has the sample's depth", async () => {
    const genes = Uint32Array.from({ length: tissue.nGenes }, (_, gene) => gene);
    const twin = await drawTwin(
      {
        membership: fields["cells/membership"]!,
        profile: fields["genes/profile"]!,
        efficiency: fields["spots/efficiency"]!,
        rates: ratesOfFields(fields),
      },
      choosePart(tissue.cellsXy, tissue.spotsXy, tissue.overlap, 1e6),
      genes,
      1,
    );
    const sum = (data: Float32Array): number => data.reduce((a, b) => a + b, 0);
    expect(sum(twin.counts.data) / sum(tissue.counts.data)).toBeCloseTo(1, 1);
  });
});

describe("the self-test", () => {
  // In the twin, genes do not vary independently within a cell as they do here, so its scores are higher;
  // docs/accuracy.md states by how much on rendered tissue.
  it("scores the twin like the results", async () => {
    const { scores, skipped, wholeSample } = await runSelfTest(
      read,
      ratesOfFields(fields),
      options,
    );
    expect(skipped).toBeNull();
    expect(wholeSample).toBe(true);
    expect(scores!.rate.all).toBeGreaterThan(known.all / 1.7);
    expect(scores!.rate.all).toBeLessThan(known.all * 1.7);
    expect(scores!.rate.all).toBeGreaterThan(scores!.interpolation.all);
    expect(scores!.ceiling.all).toBeGreaterThan(scores!.rate.all);
    expect(Math.abs(scores!.shuffled.all)).toBeLessThan(0.05);
  });

  it("expects the calibrated correlation of the evaluated genes in the sample itself", async () => {
    const { expected, sentence } = await runSelfTest(read, ratesOfFields(fields), options);
    const { data } = fields["genes/cell_pcc"]!;
    const totals = fields["genes/spot_total"]!;
    const ofGenes = (counts: (gene: number) => boolean): number =>
      median(
        Array.from(totals.keys())
          .filter((gene) => totals[gene] >= MIN_COUNTS && counts(gene))
          .map((gene) => data[3 * gene]),
      );
    expect(expected!.all).toBe(ofGenes(() => true));
    expect(expected!.reliable).toBe(ofGenes((gene) => fields["genes/reliable"]![gene] === 1));
    expect(sentence).toContain(`at about ${expected!.all.toFixed(2)} (`);
  });

  it("expects nothing of genes that were not assessed", async () => {
    const unknown = {
      ...fields,
      "genes/cell_pcc": {
        ...fields["genes/cell_pcc"]!,
        data: fields["genes/cell_pcc"]!.data.map(() => NaN),
      },
    };
    const { expected, sentence } = await runSelfTest(
      (key) => Promise.resolve(unknown[key] as never),
      ratesOfFields(fields),
      options,
    );
    expect(expected).toBeNull();
    expect(sentence).toMatch(/^On a synthetic twin/);
  });

  it("says why it was skipped", async () => {
    const spotLevel = {
      ...fields,
      "sample/segmentation": { ...fields["sample/segmentation"]!, method: "spot_level" as const },
    };
    const told = await runSelfTest(
      (key) => Promise.resolve(spotLevel[key] as never),
      ratesOfFields(fields),
      options,
    );
    expect(told.scores).toBeNull();
    expect(told.sentence).toContain("not for single cells");
  });
});
