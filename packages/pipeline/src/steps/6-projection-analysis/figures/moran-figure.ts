import type { Figure } from "../../../figures/figure.ts";
import { fitText, round, svgText } from "../../../figures/svg.ts";
import type { MoranTable } from "@stipple/contract/statistical-facts";

const FONT = 28;
const MARGIN = 40;
const TOP = 150;
const NAMES = 240;
const BARS = 900;
const NUMBERS = 330;
const ROW = 46;
const MAX_GENES = 30;

/** The genes with the highest I; bars are filled if the false discovery rate is below 0.05. */
export function moranFigure(moran: MoranTable): Figure {
  const count = Math.min(MAX_GENES, moran.genes.length);
  const significant = moran.fdr.filter((fdr, gene) => fdr < 0.05 && moran.I[gene] > 0).length;
  const longest = Math.max(1e-9, ...moran.I.slice(0, count));
  const left = MARGIN + NAMES;
  const parts = [
    svgText(MARGIN, FONT * 1.8, "Spatially variable genes (Moran’s I)", {
      size: FONT * 1.4,
      weight: 600,
    }),
    svgText(
      MARGIN,
      FONT * 3.4,
      `${significant.toLocaleString("en-US")} of ${moran.genes.length.toLocaleString("en-US")} reliable genes at a false discovery rate below 5% (filled bars)`,
      { size: FONT * 0.9, color: "#46566a" },
    ),
    svgText(left + BARS + 120, TOP - 14, "FDR", { size: FONT * 0.9, weight: 600 }),
    svgText(left, TOP - 14, "I", { size: FONT * 0.9, weight: 600 }),
  ];
  for (let row = 0; row < count; row++) {
    const top = TOP + row * ROW;
    const width = Math.max(2, (BARS * Math.max(0, moran.I[row])) / longest);
    const filled = moran.fdr[row] < 0.05;
    const baseline = top + ROW * 0.58;
    parts.push(
      svgText(left - 16, baseline, fitText(moran.genes[row], FONT, NAMES - 20), {
        size: FONT,
        anchor: "end",
      }),
      `<rect x="${left}" y="${top + 4}" width="${round(width)}" height="${ROW - 12}" rx="4" fill="${filled ? "#0072B2" : "#ffffff"}" stroke="#0072B2" stroke-width="2"/>`,
      svgText(left + width + 12, baseline, moran.I[row].toFixed(3), {
        size: FONT * 0.85,
        color: "#46566a",
      }),
      svgText(left + BARS + 120, baseline, probability(moran.fdr[row]), {
        size: FONT * 0.85,
        color: "#46566a",
      }),
    );
  }
  return {
    widthPx: left + BARS + NUMBERS + MARGIN,
    heightPx: TOP + count * ROW + MARGIN,
    layers: [{ kind: "vector", svg: parts.join("\n") }],
  };
}

function probability(p: number): string {
  if (p >= 0.001) return p.toFixed(3);
  if (p < 1e-300) return "< 1e-300";
  return p.toExponential(0).replace("e-", "e−");
}
