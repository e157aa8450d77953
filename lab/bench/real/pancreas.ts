import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { DATA } from "../judged-tissues/tissues.ts";
import { readLabels, type AcceptedNames, type MeasuredSection } from "./section.ts";

/** Names that count as right for a label of the section, and the lineage whose name counts as coarser. */
const ACCEPTED = new Map<string, AcceptedNames>([
  ["Tumor epithelial", { names: ["Pancreatic tumor epithelial"], lineage: "Epithelial" }],
  ["Ductal epithelial", { names: ["Pancreatic ductal"], lineage: "Epithelial" }],
  ["Acinar", { names: ["Acinar cell"], lineage: "Epithelial" }],
  ["Endocrine", { names: ["Alpha cell", "Beta cell", "Delta cell"], lineage: "Endocrine" }],
  ["Fibroblast", { names: [], lineage: "Stromal" }],
  ["Smooth muscle", { names: ["Pericyte"], lineage: "Stromal" }],
  ["Endothelial", { names: ["Lymphatic endothelial"], lineage: "Endothelial" }],
  ["Macrophage", { names: ["Kupffer cell"], lineage: "Myeloid" }],
  ["Mast cell", { names: [], lineage: "Myeloid" }],
  ["T cell", { names: ["CD4 T cell", "CD8 T cell", "Regulatory T cell"], lineage: "Lymphocyte" }],
  ["Plasma cell", { names: [], lineage: "Lymphocyte" }],
]);

const PANCREAS = join(DATA, "xenium-human-pancreas");

/** Names that the section's source spells differently from the catalog. */
const SPELLINGS: Record<string, string> = {
  "Tumour epithelial": "Tumor epithelial",
};
const UM_PER_PX = 0.425;
const NOT_JUDGED = "Ambiguous";

/** A human pancreas tumor, measured in situ: 377 genes, three fluorescence channels. */
export async function readPancreas(): Promise<MeasuredSection> {
  const path = (name: string): string => `${PANCREAS}/${name}`;
  const genes = readFileSync(path("genes.txt"), "utf8").trim().split("\n");
  const indexOf = new Map(genes.map((gene, index) => [gene, index]));
  const file = await asyncBufferFromFile(path("transcripts.parquet"));
  const rows = (await parquetReadObjects({ file, compressors })) as {
    x_um: number;
    y_um: number;
    gene: string;
  }[];
  const known = rows.filter(({ gene }) => indexOf.has(gene));
  const labels = await readLabels(path("cells.tif"));
  const cells = readFileSync(path("cells.csv"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  return {
    name: "pancreas",
    species: "human",
    tissue: "pancreas",
    genome: "GRCh38",
    image: path("image.ome.tif"),
    umPerPx: UM_PER_PX,
    widthUm: 2100,
    heightUm: 2100,
    genes,
    accepted: ACCEPTED,
    transcripts: {
      x: Float32Array.from(known, (row) => row.x_um),
      y: Float32Array.from(known, (row) => row.y_um),
      gene: Uint16Array.from(known, (row) => indexOf.get(row.gene)!),
      cell: Int32Array.from(known, (row) => labels(row.x_um / UM_PER_PX, row.y_um / UM_PER_PX) - 1),
    },
    cells: {
      xy: Float64Array.from(cells.flatMap(([, x, y]) => [Number(x), Number(y)])),
      type: cells.map((cell) => {
        const type = cell[5];
        return type === NOT_JUDGED ? null : (SPELLINGS[type] ?? type);
      }),
      counts: readCounts(path("counts_cells_x_genes.mtx.gz")),
    },
  };
}

/** A Matrix Market file as compressed rows; entries may come in any order. */
function readCounts(file: string): SparseMatrix {
  const lines = gunzipSync(readFileSync(file)).toString("latin1").trimEnd().split("\n");
  const start = lines.findIndex((line) => !line.startsWith("%"));
  const [nRows, nCols] = lines[start].split(" ").map(Number) as [number, number];
  const entries = lines.slice(start + 1).map((line) => line.split(" ").map(Number));
  entries.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const indptr = new Uint32Array(nRows + 1);
  for (const [row] of entries) indptr[row]++;
  for (let row = 0; row < nRows; row++) indptr[row + 1] += indptr[row];
  return {
    nRows,
    nCols,
    indptr,
    indices: Uint32Array.from(entries, (entry) => entry[1] - 1),
    data: Float32Array.from(entries, (entry) => entry[2]),
  };
}
