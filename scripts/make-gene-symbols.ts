import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { ANY_EPITHELIUM, MARKER_SETS, mouseSymbols } from "@stipple/pipeline/cell-types";
import { ligandReceptorPairs } from "@stipple/pipeline/internal/steps/6-projection-analysis/spatial-statistics/ligand-receptor-pairs";

/**
 * Writes packages/pipeline/src/species/gene-symbols.tsv.gz, the table of Ensembl IDs and symbols, and prints which
 * markers it lacks. Human: protein-coding genes and those of the marker catalog from the SQLite file of Bioconductor's
 * org.Hs.eg.db. Mouse: the genes of features.tsv.gz files of Space Ranger.
 *
 *   node scripts/make-gene-symbols.ts org.Hs.eg.sqlite features.tsv.gz…
 */
const [database, ...features] = process.argv.slice(2);
if (database === undefined || features.length === 0) {
  throw new Error("Usage: node scripts/make-gene-symbols.ts org.Hs.eg.sqlite features.tsv.gz…");
}

const wanted = new Set([
  ...[...MARKER_SETS, ANY_EPITHELIUM].flatMap(({ markers, absent }) => [...markers, ...absent]),
  ...ligandReceptorPairs("human").flatMap(({ ligand, receptor }) => [ligand, receptor]),
]);

/** NCBI's symbol of a mitochondrial gene as HGNC and Ensembl write it: COX1 → MT-CO1. */
function mitochondrial(symbol: string): string {
  const plain = symbol
    .replace(/^MT-/, "")
    .replace(/^COX/, "CO")
    .replace(/^CYTB$/, "CYB");
  return `MT-${plain}`;
}

const table = new Map<string, string>();
const human = new DatabaseSync(database, { readOnly: true });
const rows = human
  .prepare(
    `SELECT ensembl_id AS id, symbol, gene_type AS type, chromosome
     FROM ensembl JOIN gene_info USING (_id) JOIN genetype USING (_id) JOIN chromosomes USING (_id)
     ORDER BY ensembl_id, _id`,
  )
  .all() as { id: string; symbol: string; type: string; chromosome: string }[];
for (const row of rows) {
  const { id, type } = row;
  const symbol = row.chromosome === "MT" ? mitochondrial(row.symbol) : row.symbol;
  if (table.has(id) || !/^ENSG\d{11}$/.test(id)) continue;
  if (type === "protein-coding" || wanted.has(symbol)) table.set(id, symbol);
}
human.close();

for (const path of features) {
  for (const line of gunzipSync(readFileSync(path)).toString().split("\n")) {
    const [id = "", symbol = ""] = line.split("\t");
    if (/^ENSMUSG\d{11}$/.test(id) && !/^ENS/.test(symbol) && !table.has(id)) table.set(id, symbol);
  }
}

/** Mitochondrial genes, for which there are no Visium probes, by the end of their Ensembl ID. */
const MOUSE_MITOCHONDRIAL = {
  ...{ Nd1: 64341, Nd2: 64345, Nd3: 64360, Nd4: 64363, Nd4l: 65947, Nd5: 64367, Nd6: 64368 },
  ...{ Co1: 64351, Co2: 64354, Co3: 64358, Atp6: 64357, Atp8: 64356, Cytb: 64370 },
};
for (const [name, id] of Object.entries(MOUSE_MITOCHONDRIAL)) {
  table.set(`ENSMUSG${String(id).padStart(11, "0")}`, `mt-${name}`);
}

const lines = [...table].map(([id, symbol]) => `${id}\t${symbol}\n`).sort();
const packed = gzipSync(lines.join(""), { level: 9 });
writeFileSync(
  new URL("../packages/pipeline/src/species/gene-symbols.tsv.gz", import.meta.url),
  packed,
);
const known = new Set(table.values());
const missing = [...wanted].filter((symbol) => !known.has(symbol));
const missingMouse = [...wanted].filter(
  (symbol) => !mouseSymbols(symbol).some((m) => known.has(m)),
);
process.stdout.write(
  `${lines.length} genes, ${packed.length} bytes. Of ${wanted.size} symbols in use, ${missing.length} human ones are missing (${missing.join(" ")}) and ${missingMouse.length} mouse ones (${missingMouse.join(" ")}).\n`,
);
