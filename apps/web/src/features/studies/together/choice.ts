import type { GeneLayer } from "../../../project/view/view-server.ts";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";

/** What all sections show. */
export interface Choice {
  by: "type" | "gene" | "spots" | "tissue";
  gene: string | null;
  layer: GeneLayer;
  /** Limits of the color scale, as quantiles. */
  quantiles: readonly [number, number];
}

export const FIRST_CHOICE: Choice = {
  by: "type",
  gene: null,
  layer: "rate",
  quantiles: [0, 0.99],
};

/** What the values are called, and how they are meant; null for types, the tissue, and before a gene is chosen. */
export function valueName({ by, gene, layer }: Choice): { title: string; note: string } | null {
  if (by === "spots") {
    return { title: gene === null ? TEXTS.allCounts : TEXTS.spotCounts(gene), note: TEXTS.common };
  }
  if (by !== "gene" || gene === null) return null;
  return { title: gene, note: `${TEXTS.layers[layer]}, ${TEXTS.common}` };
}
