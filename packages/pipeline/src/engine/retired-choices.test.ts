import { expect, it } from "vitest";
import { chosenSettings } from "../settings.ts";
import { steps } from "../steps/index.ts";
import { checkParameters } from "./parameters.ts";
import { withoutRetired } from "./retired-choices.ts";

const stored = {
  settings: { segmentation: "classical", seed: 3 },
  parameters: {
    "morphological-analysis": {
      maxExpansionUm: 8,
      nuclei: { method: "classical", network: { minVotes: 4 }, classical: { minDepth: 0.1 } },
    },
  },
};

it("leaves out what earlier versions offered, so that a run is accepted, and names it", () => {
  const { choices, retired } = withoutRetired(stored);
  expect(choices).toEqual({
    settings: { seed: 3 },
    parameters: {
      "morphological-analysis": { maxExpansionUm: 8, nuclei: { network: { minVotes: 4 } } },
    },
  });
  expect(retired).toEqual([
    "segmentation=classical",
    "morphological-analysis.nuclei.method",
    "morphological-analysis.nuclei.classical",
  ]);
  expect(chosenSettings.safeParse(choices.settings).success).toBe(true);
  expect(() => checkParameters(steps, choices.parameters)).not.toThrow();
});

it("keeps every other choice, and the stored object, as they are", () => {
  const kept = { settings: { segmentation: "space_ranger" }, parameters: { unknown: { a: 1 } } };
  expect(withoutRetired(kept)).toEqual({ choices: kept, retired: [] });
  withoutRetired(stored);
  expect(stored.settings.segmentation).toBe("classical");
});

it("is needed: without it these choices are refused", () => {
  expect(chosenSettings.safeParse(stored.settings).success).toBe(false);
  expect(() => checkParameters(steps, stored.parameters)).toThrow("has no parameter");
});
