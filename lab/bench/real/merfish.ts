import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fromMaps } from "../../../packages/tissue/src/capture/hd-arrays.ts";
import { DATA } from "../judged-tissues/tissues.ts";
import { readLabels, type MeasuredSection } from "./section.ts";

export const MERFISH = join(DATA, "merfish-mouse-brain-if");
/** Upper left corner of the image on the slide, µm. */
export const MERFISH_CORNER = [6400, 4699.98] as const;
const UM_PER_PX = 0.1086;

/** A piece of mouse brain, measured in situ with 412 genes under its DAPI image; 483 outlined cells without types. */
export async function readMerfish(): Promise<MeasuredSection> {
  const counts = table("cells_x_genes.csv.gz");
  const genes = counts[0].slice(1);
  const indexOf = new Map(genes.map((gene, index) => [gene, index]));
  const cells = table("cells.csv").slice(1);
  const at = ([x, y]: string[]): [number, number] => [
    Number(x) - MERFISH_CORNER[0],
    Number(y) - MERFISH_CORNER[1],
  ];
  const label = await readLabels(join(MERFISH, "cell_labels_z0.tif"));
  const rowOf = new Map(cells.map(([id], row) => [Number(id), row]));
  const found = table("vizgen_transcripts.gz").filter((line) => indexOf.has(line[2]));
  const places = found.map(at);
  return {
    name: "merfish",
    species: "mouse",
    tissue: "brain",
    genome: "GRCm39",
    image: join(MERFISH, "mini_dataset_dapi_z0.jpg"),
    umPerPx: UM_PER_PX,
    widthUm: 499.9,
    heightUm: 449.9,
    genes,
    accepted: new Map(),
    transcripts: {
      x: Float32Array.from(places, ([x]) => x),
      y: Float32Array.from(places, ([, y]) => y),
      gene: Uint16Array.from(found, (line) => indexOf.get(line[2])!),
      cell: Int32Array.from(
        places,
        ([x, y]) => rowOf.get(label(x / UM_PER_PX, y / UM_PER_PX)) ?? -1,
      ),
    },
    cells: {
      xy: Float64Array.from(cells.flatMap((line) => at(line.slice(1)))),
      type: cells.map(() => null),
      counts: fromMaps(
        counts
          .slice(1)
          .map(
            (line) =>
              new Map(
                line
                  .slice(1)
                  .flatMap((n, gene): [number, number][] =>
                    Number(n) > 0 ? [[gene, Number(n)]] : [],
                  ),
              ),
          ),
        genes.length,
      ),
    },
  };
}

function table(name: string): string[][] {
  const bytes = readFileSync(join(MERFISH, name));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
}
