import { describe, expect, it } from "vitest";
import { designOf, type Unit } from "./design.ts";

/** "normal P1 x" and so on. */
function units(...rows: string[]): Unit[] {
  return rows.map((row, i) => {
    const [condition, patient, batch = ""] = row.split(" ");
    return { condition: condition, patient: patient, batch, samples: [`S${i}`] };
  });
}
const refusal = (...rows: string[]): string => {
  const found = designOf(units(...rows), ["normal", "tumor"]);
  return "refusal" in found ? found.refusal : `estimated: ${found.terms.join()}`;
};

describe("designOf", () => {
  it("compares patients with themselves where they have both conditions", () => {
    const found = designOf(
      units("normal P1", "tumor P1", "normal P2", "tumor P2", "tumor P3", "other P1"),
      ["normal", "tumor"],
    );
    expect(found).toMatchObject({
      units: [0, 1, 2, 3],
      terms: ["condition", "patient"],
      notes: ["1 patient with only one of the conditions is left out of the paired comparison."],
    });
    expect("columns" in found && found.columns.map((column) => [...column])).toEqual([
      [1, 1, 1, 1],
      [0, 1, 0, 1],
      [0, 0, 1, 1],
    ]);
  });

  it("takes batches as a covariate, unless the pairing takes them out", () => {
    expect(refusal("normal P1 x", "normal P2 y", "tumor P3 x", "tumor P4 y")).toBe(
      "estimated: condition,batch",
    );
    expect(refusal("normal P1 x", "tumor P1 x", "normal P2 y", "tumor P2 y")).toBe(
      "estimated: condition,patient",
    );
  });

  it("says that samples without a batch are taken for one", () => {
    const found = designOf(
      units("normal P1 x", "normal P2", "tumor P3 x", "tumor P4", "tumor P5"),
      ["normal", "tumor"],
    );
    expect(found).toMatchObject({ notes: ["Samples without a batch count as one batch."] });
  });

  it("says why a design cannot be estimated", () => {
    expect(refusal("normal P1", "normal P2", "tumor P3")).toBe(
      'Only one patient has the condition "tumor", but a comparison needs at least two patients in each group: add samples.',
    );
    expect(refusal("normal P1", "normal P2")).toMatch(/^No patient has the condition "tumor"/);
    expect(refusal("normal P1", "normal P2", "tumor P1", "tumor P3")).toMatch(
      /^Patient "P1" has both conditions but no other does/,
    );
    expect(refusal("normal P1 x", "normal P2 x", "tumor P3 y", "tumor P4 y")).toMatch(
      /^Conditions and batches cannot be told apart: no batch has both "normal" and "tumor"/,
    );
    expect(refusal("normal P1 x", "tumor P1 y", "normal P2 y", "tumor P2 z")).toMatch(
      /^Conditions and batches cannot be told apart: within patients, batches change/,
    );
    expect(refusal("normal P1 x", "tumor P1 y", "normal P2 y", "tumor P2 x")).toMatch(
      /^4 units are too few for a design with condition, patient, batch \(4 coefficients\)/,
    );
  });
});
