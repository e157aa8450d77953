import { expect, it } from "vitest";
import { FIRST_SHOWN, type ShownState } from "../state/shown-state.ts";
import { shownValueNames } from "./shown-value-names.ts";

it("calls a distance to a type by the user's name of the type, and one from a region by the region's", () => {
  const type = { Fibroblast: { name: "CAF" } };
  const namesOf = (measure: ShownState["measure"]) =>
    shownValueNames({
      ...{ ...FIRST_SHOWN, colorBy: "measure", measure },
      edits: { ...FIRST_SHOWN.edits, type },
    });
  expect(namesOf("near:Fibroblast")).toEqual(["Distance to CAF (µm)"]);
  expect(namesOf("near:T cell")).toEqual(["Distance to T cell (µm)"]);
  expect(namesOf("border:Fibroblast")).toEqual(["Distance from Fibroblast (µm)"]);
});
