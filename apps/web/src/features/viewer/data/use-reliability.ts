import { RATE_SOURCES, type ViewerColumn } from "@stipple/contract/viewer-manifest";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { KEPT } from "../../../project/view/query-options.ts";
import { useViewer } from "../state/viewer-context.tsx";

export interface GeneReliabilityFacts {
  reliable: boolean;
  /** Why it is not; null if it is. */
  because: Unreliability | null;
  /** Correlation of predicted and observed counts over held-out spots; null = not tested. */
  heldoutPcc: number | null;
  /** Coefficient of variation of the rate when spots are resampled; null = unknown. */
  rateCv: number | null;
}

/** Keys of `viewerTexts.unreliableBecause`. */
export type Unreliability = "untested" | "smoothed" | "poor" | "even";

const COLUMNS = ["genes.reliable", "genes.heldout_pcc", "genes.rate_cv"] as const;
/** The model's rates. */
const OF_MODEL = RATE_SOURCES.indexOf("model");
/** Held-out correlation that reliable genes have by default (step 4's `reliableCorrelation`). */
const MIN_CORRELATION = 0.25;

/** Why a gene is not reliable; `source`: index into RATE_SOURCES, undefined in older results. */
export function unreliability(
  heldoutPcc: number | null,
  source: number | undefined,
): Unreliability {
  if (heldoutPcc === null) return "untested";
  if (source !== undefined && source !== OF_MODEL) return "smoothed";
  return heldoutPcc < MIN_CORRELATION ? "poor" : "even";
}

/** The reliability columns of all genes, loaded once. */
function useReliabilityColumns() {
  const { source, manifest, projectId } = useViewer();
  return useQuery({
    queryKey: ["viewer-reliability", projectId],
    ...KEPT,
    queryFn: ({ signal }) => {
      const isKnown = manifest.columns["genes.rate_source"] !== undefined;
      const names: ViewerColumn[] = [
        ...COLUMNS,
        ...(isKnown ? ["genes.rate_source" as const] : []),
      ];
      return Promise.all(names.map((name) => source.column(name, signal)));
    },
  });
}

/** Reliability of a gene's inferred values; null until loaded, or for an unknown gene. */
export function useReliability(gene: string): GeneReliabilityFacts | null {
  const { manifest } = useViewer();
  const columns = useReliabilityColumns().data;
  const index = useMemo(() => manifest.genes.indexOf(gene), [manifest, gene]);
  if (!columns || index < 0) return null;
  const [reliable, heldout, cv, source] = columns;
  const heldoutPcc = finite(heldout![index]);
  return {
    reliable: reliable![index] === 1,
    because: reliable![index] === 1 ? null : unreliability(heldoutPcc, source?.[index]),
    heldoutPcc,
    rateCv: finite(cv![index]),
  };
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/** Whether each of these genes is reliable; null until known. Returns the same array for the same genes. */
export function useReliabilities(genes: readonly string[]): readonly (boolean | null)[] {
  const { manifest } = useViewer();
  const reliable = useReliabilityColumns().data?.[0];
  return useMemo(() => {
    if (!reliable) return genes.map(() => null);
    const place = new Map(manifest.genes.map((gene, index) => [gene, index]));
    return genes.map((gene) => {
      const index = place.get(gene);
      return index === undefined ? null : reliable[index] === 1;
    });
  }, [genes, manifest, reliable]);
}
