import { writePieces } from "../write-lines.ts";
import { csvText, decimal } from "./cell-metadata.ts";

export interface GeneTable {
  names: readonly string[];
  ids: readonly string[];
  heldoutPcc: Float32Array;
  reliable: Uint8Array;
  /** Sums over the spots, over the cells, and what reached no cell. */
  observed: Float64Array;
  assigned: Float64Array;
  unassigned: Float64Array;
}

/** One line a gene: how well its level is predicted at spots that the model did not see, and where its counts went. */
export function writeReliability(path: string, genes: GeneTable): Promise<void> {
  return writePieces(path, lines(genes));
}

function* lines(genes: GeneTable): Generator<string> {
  yield "gene,gene_id,heldout_pcc,reliable,total_counts,assigned_counts,unassigned_counts\n";
  for (let gene = 0; gene < genes.names.length; gene++) {
    const fields = [
      csvText(genes.names[gene]),
      csvText(genes.ids[gene]),
      decimal(genes.heldoutPcc[gene], 4),
      genes.reliable[gene] ? "True" : "False",
      genes.observed[gene],
      genes.assigned[gene],
      genes.unassigned[gene],
    ];
    yield `${fields.join()}\n`;
  }
}
