import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hashFile } from "../store/hash-file.ts";
import { builtInFile, builtInReferences } from "./built-in-references.ts";
import { describedIn } from "./condensed-reference.ts";
import { readReference } from "./read-reference.ts";
import { checkReference, withReference } from "./reference-outline.ts";

const signal = new AbortController().signal;
const all = await builtInReferences();

describe("built-in references", () => {
  it("are all listed", () => {
    const folder = new URL("../../references", import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith(".h5ad"));
    expect(files.sort()).toEqual(all.map(({ name }) => `${name}.h5ad`).sort());
    expect(all.map(({ name, tissue, species }) => [name, tissue, species])).toEqual([
      ["blood-pbmc68k", "blood", "human"],
    ]);
  });

  it.each(all)("$name is what its description says, small, and may be passed on", async (one) => {
    const { sha256, size, ...description } = one;
    const file = builtInFile(one);
    expect(await hashFile(file)).toEqual({ sha256, size });
    expect(await withReference(file, (h5ad) => Promise.resolve(describedIn(h5ad)))).toEqual(
      description,
    );
    await checkReference(file, { signal });
    expect(size).toBeLessThan(200_000);
    expect(description.citation).not.toBeNull();
    expect(description.license).toMatch(/^(BSD-3-Clause|CC0|CC BY 4\.0|MIT)/);
  });

  it("has the known markers of blood cells highest in their labels", async () => {
    const symbols = ["CD79A", "GNLY", "S100A8", "FCER1A", "CD3D", "CD8B"];
    const names = await withReference(builtInFile(all[0]), (h5ad) =>
      Promise.resolve(h5ad.index("var")),
    );
    const { labels, genes, profiles } = await readReference({
      file: builtInFile(all[0]),
      symbols: names,
      ids: names.map(() => ""),
      species: "human",
      counted: new Uint8Array(names.length).fill(1),
      signal,
    });
    const highest = symbols.map((symbol) => {
      const at = genes.indexOf(names.indexOf(symbol));
      const levels = labels.map((_, label) => profiles[label * genes.length + at]);
      return labels[levels.indexOf(Math.max(...levels))];
    });
    expect(highest).toEqual([
      "CD19+ B",
      "CD56+ NK",
      "CD14+ Monocyte",
      "Dendritic",
      expect.stringMatching(/^CD[48]\+/),
      expect.stringMatching(/^CD8\+/),
    ]);
  });
});
