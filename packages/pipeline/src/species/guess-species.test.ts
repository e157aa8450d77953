import { describe, expect, it } from "vitest";
import { guessSpecies, recognizeSpecies } from "./guess-species.ts";

const HUMAN = ["CD3D", "EPCAM", "MT-CO1", "ACTA2", "HLA-DRA", "COL1A1"];
const MOUSE = ["Cd3d", "Epcam", "mt-Co1", "Acta2", "H2-Aa", "Col1a1"];
const idsOf = (prefix: string, digits = 11): string[] =>
  Array.from({ length: 8 }, (_, i) => prefix + String(i + 10).padStart(digits, "0"));

describe("guessing the species", () => {
  it.each([
    ["human", HUMAN, []],
    ["mouse", MOUSE, []],
    ["human", MOUSE, idsOf("ENSG")],
    ["mouse", HUMAN, idsOf("ENSMUSG")],
    ["unknown", [...HUMAN, ...MOUSE], []],
    ["unknown", ["1", "2", "x", "y"], []],
    ["mixed", [...HUMAN, ...MOUSE], [...idsOf("ENSG"), ...idsOf("ENSMUSG")]],
    ["mixed", HUMAN, [...idsOf("ENSG"), ...idsOf("ENSSSCG")]],
    // A few genes of a virus or of spike-ins do not make a mixture.
    ["human", HUMAN, [...idsOf("ENSG"), ...idsOf("ENSG"), "ERCC-00002", "gene-NS1"]],
  ] as const)("guesses %s", (species, symbols, ids) => {
    expect(guessSpecies(symbols, ids)).toBe(species);
  });

  it.each([
    ["pig", idsOf("ENSSSCG")],
    ["rat", idsOf("ENSRNOG")],
    ["zebrafish", idsOf("ENSDARG")],
    ["chicken", idsOf("ENSGALG")],
    ["macaque", idsOf("ENSMMUG")],
    ["cow", idsOf("ENSBTAG")],
    ["dog", idsOf("ENSCAFG")],
    ["fruit fly", idsOf("FBgn", 7)],
    ["roundworm", idsOf("WBGene", 8)],
    ["thale cress", Array.from({ length: 8 }, (_, i) => `AT${1 + (i % 5)}G010${10 + i}`)],
  ])("knows %s by its gene IDs, whatever the symbols look like", (name, ids) => {
    for (const symbol of [HUMAN, MOUSE]) {
      const found = recognizeSpecies({ symbol, id: ids });
      expect(found.species).toBe("other");
      expect(found.name).toMatch(new RegExp(`(^|\\W)${name}`));
      expect(found.evidence).toBe(`gene IDs (${ids[0]})`);
    }
  });

  it("knows that IDs of any other of Ensembl's species are not human", () => {
    expect(recognizeSpecies({ symbol: HUMAN, id: idsOf("ENSPVAG") })).toEqual({
      species: "other",
      name: null,
      evidence: "gene IDs (ENSPVAG00000000010)",
    });
  });

  it.each([
    ["other", "Sscrofa11.1"],
    ["other", "mRatBN7.2"],
    ["other", "Rnor_6.0"],
    ["other", "GRCz11"],
    ["other", "BDGP6.46"],
    ["other", "TAIR10"],
    ["other", "Mmul_10"],
    ["other", "CanFam3.1"],
    ["human", "GRCh38"],
    ["human", "hg19"],
    ["mouse", "mm10"],
    ["mouse", "refdata-gex-GRCm39-2024-A"],
  ] as const)("is %s by the genome %s, without gene IDs", (species, name) => {
    const symbol = species === "human" ? MOUSE : HUMAN;
    const genome = symbol.map(() => name);
    expect(recognizeSpecies({ symbol, id: symbol, genome }).species).toBe(species);
  });

  it("tells rats from mice, and fly and fish, by symbols of their own", () => {
    const rat = [
      "Cd3d",
      "Acta2",
      ..."co1 co2 co3 nd1 nd2 nd4".split(" ").map((one) => `Mt-${one}`),
    ];
    expect(recognizeSpecies({ symbol: rat, id: rat }).name).toMatch(/rat/);
    const fly = ["Act5C", "RpL32", "CG1234", "CG2345", "CG3456", "CG4567", "mt:CoI"];
    expect(recognizeSpecies({ symbol: fly, id: fly }).name).toMatch(/fly/);
    const fish = ["actb1", "mt-nd1", "mt-nd2", "mt-co1", "si:ch211-1a2.3", "zgc:1234"];
    expect(recognizeSpecies({ symbol: fish, id: fish }).name).toMatch(/zebrafish/);
  });
});
