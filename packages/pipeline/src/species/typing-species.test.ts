import { expect, it } from "vitest";
import { typingSpecies } from "./typing-species.ts";

const pig = {
  species: "other",
  name: "pig (Sus scrofa)",
  evidence: "gene IDs (ENSSSCG00000000100)",
} as const;

it("asks for a reference where there are no markers, and names no organism", () => {
  expect(typingSpecies(pig, undefined, false)).toEqual({
    species: "other",
    report: {
      speciesName: "pig (Sus scrofa)",
      organism: null,
      speciesNote:
        "Types need a reference for this species: the genes are those of pig (Sus scrofa) by gene IDs (ENSSSCG00000000100), and there are markers only for human and mouse; add labeled single cells of it (h5ad), or set the species whose markers to use.",
    },
  });
  expect(typingSpecies(pig, undefined, true).report.speciesNote).toBeUndefined();
});

it("uses the markers that the user sets, and says that the genes are of another species", () => {
  const { species, report } = typingSpecies(pig, "human", false);
  expect(species).toBe("human");
  expect(report.organism).toBeNull();
  expect(report.speciesNote).toMatch(/^Markers of human were used, as set, although the genes are/);
  const mouse = { species: "mouse", name: "mouse", evidence: "gene IDs (ENSMUSG1)" } as const;
  expect(typingSpecies(mouse, "human", false).report).toMatchObject({ organism: "mouse" });
});

it("takes the user's word where the genes tell nothing", () => {
  const unknown = { species: "unknown", name: null, evidence: null } as const;
  expect(typingSpecies(unknown, "mouse", false)).toEqual({
    species: "mouse",
    report: { speciesName: null, organism: "mouse" },
  });
  expect(typingSpecies(null, undefined, false)).toEqual({ species: null, report: {} });
});

it("asks for a reference with cells of each species of a mixture", () => {
  const mixed = { species: "mixed", name: "human and mouse", evidence: "gene IDs" } as const;
  expect(typingSpecies(mixed, undefined, false).report.speciesNote).toMatch(
    /^Types need a reference with cells of each species/,
  );
});
