import { commonRange, type ValueRange } from "@stipple/viewer/cells";
import { scaled } from "@stipple/viewer/source";
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { VALUES } from "../../../project/view/query-options.ts";
import type { Choice } from "./choice.ts";
import { useStable } from "../../../app/use-stable.ts";
import type { OpenSection, Section } from "./use-sections.ts";

export interface ShownValues {
  /** For each section one value per cell or spot; undefined where there are none. */
  values: readonly (Float32Array | undefined)[];
  /** Of all sections together; undefined for types, and until all have loaded. */
  range: ValueRange | undefined;
  pending: boolean;
  error: Error | null;
}

/** The values of a choice in all sections, asked for at once. */
export function useShownValues(sections: readonly Section[], choice: Choice): ShownValues {
  const answers = useQueries({
    queries: sections.map(({ open, projectId }) => {
      const asked = open && askedOf(open, choice);
      return {
        queryKey: ["section-values", projectId, open?.results, asked?.key],
        enabled: asked !== undefined && asked !== null,
        ...VALUES,
        queryFn: ({ signal }: { signal: AbortSignal }) => asked!.load(signal),
      };
    }),
  });
  const values = useStable(answers.map(({ data }) => data));
  const pending = answers.some(({ isLoading }) => isLoading);
  const { quantiles } = choice;
  const range = useMemo(() => {
    const known = values.filter((one) => one !== undefined);
    if (pending || known.length === 0) return undefined;
    return commonRange(known, quantiles);
  }, [values, pending, quantiles]);
  return { values, range, pending, error: answers.find(({ error }) => error)?.error ?? null };
}

/** Places of the spots, px of the drawn image; nothing is asked for unless they are wanted. */
export function useSpotPlaces(
  sections: readonly Section[],
  wanted: boolean,
): readonly (Float32Array | undefined)[] {
  const places = useQueries({
    queries: sections.map(({ open, projectId }) => ({
      queryKey: ["section-spots", projectId, open?.results],
      enabled: wanted && open !== undefined && open.source.manifest.nSpots > 0,
      ...VALUES,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { source } = open!;
        const xy = (await source.column("spots.xy", signal)) as Float32Array;
        return scaled(xy, 1 / source.manifest.tissue.scale);
      },
    })),
  });
  return useStable(places.map(({ data }) => data));
}

/** What a choice needs of a section; null if it needs nothing, or the section does not have it. */
function askedOf(
  { server, source }: OpenSection,
  { by, gene, layer }: Choice,
): { key: readonly unknown[]; load(signal: AbortSignal): Promise<Float32Array> } | null {
  const { manifest } = source;
  const has = (name: string): boolean => manifest.genes.includes(name);
  if (by === "gene" && gene !== null && has(gene)) {
    return { key: [by, gene, layer], load: (signal) => server.gene(gene, layer, signal) };
  }
  if (by !== "spots" || manifest.nSpots === 0) return null;
  if (gene === null) {
    return {
      key: [by],
      load: async (signal) => Float32Array.from(await source.column("spots.total_counts", signal)),
    };
  }
  if (!has(gene)) return null;
  return { key: [by, gene], load: (signal) => server.spotGene(gene, signal) };
}
