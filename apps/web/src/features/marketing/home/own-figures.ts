import headline from "../../../../../../docs/headline.json";
import { OWN_LABELS, type OwnFigure } from "./texts.ts";

const percent = (share: number): string => `${Math.round(100 * share)}%`;
const correlation = (r: number): string => r.toFixed(2);

/** Our own figures next to the claims, as the benchmarks wrote them. */
export const OWN_FIGURES: Readonly<Record<OwnFigure, { value: string; label: string }>> = {
  expression: {
    value: correlation(headline.rate),
    label: OWN_LABELS.expression(correlation(headline.interpolation)),
  },
  types: {
    value: percent(headline.types),
    label: OWN_LABELS.types(percent(headline.typesOfBins)),
  },
  section: {
    value: correlation(headline.section),
    label: OWN_LABELS.section(correlation(headline.sectionNearest)),
  },
  nuclei: {
    value: correlation(headline.nuclei),
    label: OWN_LABELS.nuclei(String(headline.nucleiImages)),
  },
  found: {
    value: `${headline.foundForEach.toFixed(2)}x`,
    label: OWN_LABELS.found(percent(headline.foundRight)),
  },
};
