import { pause } from "../../engine/pause.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { writeFrame } from "../anndata/target.ts";
import type { GeneTable } from "../csv/gene-reliability.ts";
import type { AnnDataFile } from "./anndata-file.ts";

/** Counts written at a time. */
const ENTRIES = 1 << 22;

/**
 * Writes `raw`: the observed counts as float32, where CELLxGENE and scanpy look for them. The sparsity pattern is that
 * of layers/counts, which must exist, and is stored only once.
 */
export async function writeRaw(
  file: AnnDataFile,
  genes: Pick<GeneTable, "ids" | "names" | "symbols">,
  counts: SparseMatrix,
  { signal, progress }: { signal: AbortSignal; progress?: (fraction: number) => void },
): Promise<void> {
  file.rawGroup();
  writeFrame(file, "raw/var", genes.names, [
    ["gene_ids", genes.ids],
    ["symbol", genes.symbols],
  ]);
  file.group("raw/varm");
  const x = file.matchingCsr("raw/X", counts.nRows, counts.nCols);
  for (let from = 0; from < counts.data.length; from += ENTRIES) {
    await x.append(counts.data.subarray(from, from + ENTRIES));
    progress?.(from / counts.data.length);
    await pause(signal);
  }
  await x.finish();
  file.sharePattern("raw/X", "layers/counts");
}
