import { describe, expect, it } from "vitest";
import { guessSpecies } from "./guess-species.ts";

const HUMAN = ["CD3D", "EPCAM", "MT-CO1", "ACTA2", "HLA-DRA", "COL1A1"];
const MOUSE = ["Cd3d", "Epcam", "mt-Co1", "Acta2", "H2-Aa", "Col1a1"];

describe("guessing the species", () => {
  it.each([
    ["human", HUMAN, []],
    ["mouse", MOUSE, []],
    ["human", MOUSE, Array.from({ length: 6 }, (_, i) => `ENSG0000000000${i}`)],
    ["mouse", HUMAN, Array.from({ length: 6 }, (_, i) => `ENSMUSG0000000000${i}`)],
    ["unknown", [...HUMAN, ...MOUSE], []],
    ["unknown", ["1", "2", "x", "y"], []],
  ] as const)("guesses %s", (species, symbols, ids) => {
    expect(guessSpecies(symbols, ids)).toBe(species);
  });
});
