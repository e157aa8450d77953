import { expect, it } from "vitest";
import { faultOfFeatures } from "./feature-faults.ts";

const N = 300;
const ids = Array.from({ length: N }, (_, i) => `ENSMUSG${String(i * 977).padStart(11, "0")}`);
const symbols = ids.map((_, i) => `Gene${i}`);
const types = ids.map((_, i) => (i < N - 5 ? "Gene Expression" : "Antibody Capture"));

/** A list with one other value. */
function withOne(list: readonly string[], value: string): string[] {
  return list.map((own, i) => (i === 71 ? value : own));
}

it.each([
  "ENSMUSG0000006936x",
  "ENSMUSG00000",
  "ENSMUSF00000069367",
  "#NSMUSG00000069367",
  "ENS\u0007",
])("tells the damaged ID %j", (id) =>
  expect(faultOfFeatures(withOne(ids, id), symbols, types)).not.toBeNull(),
);

it("looks at a long ID once", { timeout: 5_000 }, () => {
  expect(faultOfFeatures(withOne(ids, "_".repeat(2 ** 19)), symbols, types)).toBeNull();
});

it("tells an Ensembl ID listed twice", () => {
  expect(faultOfFeatures(withOne(ids, ids[3]), symbols, types)).toMatch(
    /lists the gene ENS.* twice/,
  );
});

it.each([
  "Gene Exprexsion",
  "Gene",
  "Ge",
  "Ge97",
  "xxxx Expression",
  "ExpressionGene ",
  "Antibody Captura",
])("tells the damaged type %j", (type) =>
  expect(faultOfFeatures(ids, symbols, withOne(types, type))).toBe(
    `has a feature of the type "${type}"`,
  ),
);

it("tells a damaged genome, and unreadable symbols", () => {
  const genomes = ids.map((_, i) => (i % 2 ? "mm10" : "hg38"));
  expect(faultOfFeatures(ids, symbols, types, withOne(genomes, "mm1P"))).toMatch(/genome "mm1P"/);
  expect(faultOfFeatures(ids, withOne(symbols, "Gen\u00ff"), types, genomes)).toMatch(/unreadable/);
});

it("accepts what people add, and lists of other names", () => {
  const custom = withOne(ids, "tdTomato");
  expect(
    faultOfFeatures(custom, withOne(symbols, "tdTomato"), withOne(types, "Custom")),
  ).toBeNull();
  expect(
    faultOfFeatures(withOne(ids, "DEPRECATED_0017"), symbols, withOne(types, "Hashtag")),
  ).toBeNull();
  expect(
    faultOfFeatures(
      symbols,
      symbols,
      types.map((type) => type.toLowerCase()),
    ),
  ).toBeNull();
  const versions = ids.map((id, i) => (i % 3 ? `${id}.4` : id));
  expect(
    faultOfFeatures(
      versions,
      symbols,
      [],
      ids.map(() => "mm10"),
    ),
  ).toBeNull();
  const two = ids.map((id, i) => (i % 2 ? `GRCh38_${id.replace("MUS", "")}` : `mm10___${id}`));
  expect(faultOfFeatures(two, symbols, types)).toBeNull();
});
