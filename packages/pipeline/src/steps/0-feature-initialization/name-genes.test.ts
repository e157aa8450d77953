import { describe, expect, it } from "vitest";
import type { Genes } from "../../readers/counts/count-matrix.ts";
import { nameGenes } from "./name-genes.ts";

function genes(id: string[], symbol: string[], genome?: string[]): Genes {
  const rows = { geneOf: new Int32Array(id.length), leftOut: {} };
  return { id, symbol, ...rows, ...(genome && { genome }) };
}

const REAL = {
  ENSG00000167286: "CD3D",
  ENSG00000010610: "CD4",
  ENSG00000119888: "EPCAM",
  ENSG00000198804: "MT-CO1",
  ENSMUSG00000032094: "Cd3d",
  ENSMUSG00000064351: "mt-Co1",
};

describe("genes of a sample", () => {
  it.each(["GRCh38_", "GRCh38______", "hg19_", "human_", "refdata-gex-GRCh38-2020-A_"])(
    "are matched without %s before their names, which they keep",
    async (prefix) => {
      const symbols = ["CD3D", "EPCAM", "HLA-DRA", "MT-CO1", "COL1A1", "A_B"];
      const ids = symbols.map((_, i) => `${prefix}ENSG0000000000${i}`);
      const file = symbols.map((symbol) => prefix + symbol);
      const named = await nameGenes(genes(ids, file));
      expect(named.symbol).toEqual(symbols);
      expect(named.name).toEqual(file);
      expect(named.species.species).toBe("human");
      expect(named.notes[0]).toBe(
        `Names of genes start with the genome (${prefix.replace(/_+$/, "")}); markers and references are matched without it.`,
      );
    },
  );

  it("keep underscores that follow no genome", async () => {
    const symbols = ["RNU6_1", "Gene_2", "AC_3"];
    const named = await nameGenes(genes(["a", "b", "c"], symbols));
    expect(named).toMatchObject({ symbol: symbols, name: symbols, notes: [] });
  });

  it.each([
    ["GRCh38_", "mm10___"],
    ["human_", "mouse_"],
  ])("of two genomes are a mixture, told apart by their full names: %s, %s", async (...of) => {
    const human = ["ACTB", "CD3D", "EPCAM", "GFAP"].map((name) => of[0] + name);
    const mouse = ["Actb", "Cd3d", "Epcam", "Gfap"].map((name) => of[1] + name);
    const all = [...human, ...mouse];
    const named = await nameGenes(genes(all, all));
    expect(named.species).toMatchObject({ species: "mixed", name: "human and mouse" });
    expect(named.name).toEqual(all);
  });

  it("without symbols get those of the table", async () => {
    const ids = [...Object.keys(REAL), "ENSG00000999999"];
    const versions = ids.map((id) => `${id}.7`);
    const named = await nameGenes(genes(versions, versions));
    expect(named.symbol).toEqual([...Object.values(REAL), "ENSG00000999999.7"]);
    expect(named.name).toEqual(named.symbol);
    expect(named.notes.at(-1)).toMatch(/^The counts have no gene symbols; 6 of 7 Ensembl IDs/);
  });

  it.each([
    ["human", "ENSG", ["cd3d", "Epcam", "hla-dra", "mt-co1", "c1orf54", "own"]],
    ["mouse", "ENSMUSG", ["CD3D", "EPCAM", "H2-AA", "MT-CO1", "1700001C19RIK", "OWN"]],
  ])("of %s keep names in another case, which markers do not mind", async (species, id, file) => {
    const ids = file.map((_, i) => `${id}0000000000${i}`);
    const named = await nameGenes(genes(ids, file));
    const usual =
      species === "human"
        ? ["CD3D", "EPCAM", "HLA-DRA", "MT-CO1", "C1orf54", "own"]
        : ["Cd3d", "Epcam", "H2-Aa", "mt-Co1", "1700001C19Rik", "OWN"];
    expect(named.symbol).toEqual(usual);
    expect(named.name).toEqual(file);
    expect(named.notes.at(-1)).toBe(
      `Gene symbols are not in the case of ${species} ones; markers and references are matched as if they were.`,
    );
    expect((await nameGenes(genes(ids, usual.slice(0, 5)))).notes).toHaveLength(1);
  });

  it("of other species without symbols keep their IDs", async () => {
    const ids = Array.from({ length: 6 }, (_, i) => `ENSSSCG0000000000${i}`);
    const named = await nameGenes(
      genes(
        ids,
        ids,
        ids.map(() => "Sscrofa11.1"),
      ),
    );
    expect(named.symbol).toEqual(ids);
    expect(named.notes).toEqual(["Species: pig (Sus scrofa), by gene IDs (ENSSSCG00000000000)."]);
  });
});
