import { expect, it } from "vitest";
import { HUMAN_BREAST_TUMOR } from "../catalog/human-breast-tumor.ts";
import { MOUSE_BRAIN } from "../catalog/mouse-brain.ts";
import { genePanel } from "./genes.ts";
import { transcriptome } from "./transcriptome.ts";

it.each([HUMAN_BREAST_TUMOR, MOUSE_BRAIN])(
  "an identifier is one gene for all seeds: %#",
  (plan) => {
    const [first, ...others] = [
      transcriptome(plan, 5000, 1),
      transcriptome(plan, 6000, 2),
      ...[1, 2].map((seed) => genePanel(plan, 800, seed)),
      genePanel(plan, 200, 3),
    ].map((genes) => new Map(genes.map(({ id, symbol }) => [id, symbol])));
    expect(first.size).toBe(5000);
    for (const other of others) {
      const shared = [...other].filter(([id]) => first.has(id));
      expect(shared.length).toBeGreaterThan(0.9 * Math.min(other.size, first.size));
      expect(shared.filter(([id, symbol]) => first.get(id) !== symbol)).toEqual([]);
    }
  },
);
