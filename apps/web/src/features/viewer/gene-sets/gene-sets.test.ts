import { describe, expect, it } from "vitest";
import { geneMatcher } from "../../../project/view/match-genes.ts";
import { viewerStore } from "../state/viewer-store.ts";
import { addLists, withoutGenes } from "./edit-lists.ts";
import { otherSpecies } from "./other-species.ts";
import { hypergeometricTail, overRepresentation } from "./over-representation.ts";
import { MAX_LISTS, readLists, textOfLists } from "./read-lists.ts";

describe("lists of genes", () => {
  it("are read from GMT files, with Windows line ends, weights, and repeated genes", () => {
    const text =
      "Hypoxia\thttp://x\tVEGFA\tCA9,1.5\tVEGFA\t\r\nEmpty\tnone\t\r\nB cells\t\tCD79A\r\n";
    expect(readLists(text, "file").lists).toEqual([
      { name: "Hypoxia", genes: ["VEGFA", "CA9"] },
      { name: "B cells", genes: ["CD79A"] },
    ]);
  });

  it("are read from pasted words", () => {
    expect(readLists("CD3E, H2-Ab1;\nACTB CD3E", "Pasted").lists).toEqual([
      { name: "Pasted", genes: ["CD3E", "H2-Ab1", "ACTB"] },
    ]);
    const isKnown = (name: string) => name === "mt:CoI";
    expect(readLists("mt:CoI lncRNA:roX1", "Pasted", isKnown).lists).toEqual([
      { name: "Pasted", genes: ["mt:CoI", "lncRNA", "roX1"] },
    ]);
  });

  it("keep names with a comma that the sample has, in GMT files and one to a line", () => {
    const isKnown = (name: string) => ["1,3-BPG", "CA9"].includes(name);
    for (const text of ["Pasted\t\t1,3-BPG\tCA9,1.5", "1,3-BPG\nCA9"]) {
      expect(readLists(text, "Pasted", isKnown).lists).toEqual([
        { name: "Pasted", genes: ["1,3-BPG", "CA9"] },
      ]);
    }
  });

  it("are read from GMT files with empty lists, and with the line ends of old Macs", () => {
    expect(readLists("A\tx\tCD3E\tCD4\nEmpty\tx\nB\tx\tCD19\n", "file").lists).toEqual([
      { name: "A", genes: ["CD3E", "CD4"] },
      { name: "B", genes: ["CD19"] },
    ]);
    expect(readLists("A\tx\tCD3E\rB\tx\tCD19\r", "file").lists).toEqual([
      { name: "A", genes: ["CD3E"] },
      { name: "B", genes: ["CD19"] },
    ]);
  });

  it("are read from the cells of a spreadsheet: a row or block of genes, or a list in each column", () => {
    const isKnown = (name: string) => /^[A-Z]+\d+[A-Z]?$/.test(name);
    expect(readLists("CD3E\tCD8A\tCD19", "Pasted", isKnown).lists).toEqual([
      { name: "Pasted", genes: ["CD3E", "CD8A", "CD19"] },
    ]);
    const columns = "T cells\tB cells\tTwo words\nCD3E\tCD19\tCA9\nCD8A\t\tCA2\nNEW\t\t\n";
    expect(readLists(columns, "Pasted", isKnown).lists).toEqual([
      { name: "T cells", genes: ["CD3E", "CD8A", "NEW"] },
      { name: "B cells", genes: ["CD19"] },
      { name: "Two words", genes: ["CA9", "CA2"] },
    ]);
    // Targets of a factor, with or without a description.
    const gmt = "SOX2\t\tCD3E\nCD19\tCD19\tCD8A\n";
    expect(readLists(gmt, "Pasted", isKnown).lists).toEqual([
      { name: "SOX2", genes: ["CD3E"] },
      { name: "CD19", genes: ["CD8A"] },
    ]);
  });

  it("are the names in a table of genes with their measures", () => {
    expect(readLists("gene\tlogFC\tp\nCD3E\t-1.2\t1e-10\nCD8A\t2\t0.5\n", "DE").lists).toEqual([
      { name: "DE", genes: ["gene", "logFC", "p", "CD3E", "CD8A", "2"] },
    ]);
  });

  it("are refused if there is nothing in them, they are no text, or too long", () => {
    expect(readLists(" \n# only a remark", "x").fault).toEqual({ kind: "nothing" });
    expect(readLists("\u001f\uFFFD\0", "x").fault).toEqual({ kind: "notText" });
    const long = Array.from({ length: 5001 }, (_, at) => `G${at}`).join(" ");
    expect(readLists(long, "All").fault).toEqual({ kind: "longList", name: "All", genes: 5001 });
    const many = Array.from({ length: MAX_LISTS + 1 }, (_, at) => `L${at}\t\tA`).join("\n");
    expect(readLists(many, "x").fault).toEqual({ kind: "manyLists", lists: MAX_LISTS + 1 });
  });
});

it("reads a list that a spreadsheet saved as Unicode text, which is UTF-16", async () => {
  const written = Uint16Array.from("\ufeffGCG\r\nINS\r\n", (one) => one.charCodeAt(0));
  const { lists } = readLists(await textOfLists(new Blob([written])), "Islets");
  expect(lists).toEqual([{ name: "Islets", genes: ["GCG", "INS"] }]);
});

it("removes a list with its last gene: the project keeps none without genes", () => {
  const store = viewerStore();
  addLists(store, [{ name: "Two", genes: ["cd3e", "ACTB"] }]);
  const list = () => store.getState().geneLists[0]!;
  expect(withoutGenes(store, list(), ["CD3E"])).toBe(true);
  expect(list().genes).toEqual(["ACTB"]);
  expect(withoutGenes(store, list(), ["ACTB"])).toBe(false);
  expect(store.getState().geneLists).toEqual([]);
});

describe("genes in the sample", () => {
  it("are found whatever their case, unless two genes differ by it", () => {
    const match = geneMatcher(["CD3E", "Actb", "ACTB"]);
    expect(match(["cd3e", "ACTB", "actb", "NOPE", "NOPE"])).toEqual({
      known: ["CD3E", "ACTB", "Actb"],
      unknown: ["NOPE"],
    });
  });

  it("tell lists of another species", () => {
    const human = ["CD3E", "CD8A", "ACTB", "KRT8", "EPCAM", "VIM", "GAPDH", "MS4A1", "LYZ", "NKG7"];
    const mouse = human.map((name) => name[0] + name.slice(1).toLowerCase());
    expect(otherSpecies(mouse, human)).toEqual({ list: "mouse", sample: "human" });
    expect(otherSpecies(human, mouse)).toEqual({ list: "human", sample: "mouse" });
    expect(otherSpecies(human, human)).toBeNull();
    expect(otherSpecies(mouse.slice(0, 4), human)).toBeNull();
    const ids = human.map((_, at) => `ENSG0000010${at}000`);
    expect(otherSpecies(ids, mouse)).toBeNull();
  });
});

describe("over-representation", () => {
  it("has the hypergeometric probabilities", () => {
    // 1 − C(2,2)/C(4,2): at least one of two marked among two of four.
    expect(hypergeometricTail(4, 2)(2, 1)).toBeCloseTo(5 / 6, 12);
    expect(hypergeometricTail(4, 2)(2, 2)).toBeCloseTo(1 / 6, 12);
    expect(hypergeometricTail(4, 2)(2, 0)).toBe(1);
    // More marked genes than can be left out: three of four marked, two drawn.
    expect(hypergeometricTail(4, 2)(3, 1)).toBe(1);
    expect(hypergeometricTail(4, 2)(3, 2)).toBeCloseTo(1 / 2, 12);
    // Fisher's tea: all four of four cups right out of eight.
    expect(hypergeometricTail(8, 4)(4, 4)).toBeCloseTo(1 / 70, 12);
    // Every outcome together, over a large background.
    const tail = hypergeometricTail(20_000, 300);
    expect(tail(200, 1) + Math.exp(logNone(20_000, 300, 200))).toBeCloseTo(1, 9);
  });

  it("counts only genes of the background, adjusts p, and puts the best first", () => {
    const background = Array.from({ length: 100 }, (_, at) => `G${at}`);
    const chosen = [...background.slice(0, 10), "elsewhere"];
    const found = overRepresentation(
      [
        { name: "by chance", genes: background.slice(5, 55) },
        { name: "all of it", genes: [...background.slice(0, 5), "elsewhere", "G0"] },
        { name: "not tested", genes: ["elsewhere"] },
      ],
      chosen,
      background,
    );
    expect(found.map(({ name, size, shared }) => [name, size, shared.length])).toEqual([
      ["all of it", 5, 5],
      ["by chance", 50, 5],
    ]);
    // C(95, 5) / C(100, 10) = 10·9·8·7·6 / (100·99·98·97·96)
    const p = (10 * 9 * 8 * 7 * 6) / (100 * 99 * 98 * 97 * 96);
    expect(found[0]!.p).toBeCloseTo(p, 12);
    expect(found[0]!.fdr).toBeCloseTo(2 * p, 12);
    expect(found[0]!.fold).toBeCloseTo(10, 12);
    expect(found[1]!.fdr).toBeCloseTo(found[1]!.p, 12);
  });
});

/** Log probability that none of `marked` genes is among `drawn` of `all`. */
function logNone(all: number, drawn: number, marked: number): number {
  let sum = 0;
  for (let at = 0; at < drawn; at++) sum += Math.log((all - marked - at) / (all - at));
  return sum;
}
