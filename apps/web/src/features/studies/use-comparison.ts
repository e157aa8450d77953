import { compareStudy, type StudyComparison } from "@stipple/contract/routes/studies";
import { sharedComparison } from "@stipple/contract/routes/study-sharing";
import { useQuery } from "@tanstack/react-query";
import { apiResponse } from "../../app/api.ts";
import type { AskedStudy } from "./asked-study.ts";
import { studyKey } from "./use-studies.ts";

/** What is compared. */
export interface Asked {
  baseline: string;
  other: string;
  patients: "yes" | "no";
  batches: "yes" | "no";
  /** Name of regions whose cells are compared; empty for all cells. */
  region: string;
}

interface Found {
  /** Names that every sample has a region of. */
  regions: string[];
  refusal: string | null;
  comparison: StudyComparison | null;
}

const POLL_MS = 2_000;

/** The comparison of a stored design; null while it is computed. */
export function useComparison({ id, isShared, samples }: AskedStudy, asked: Asked | null) {
  return useQuery({
    queryKey: [...studyKey(id), "comparison", asked, samples],
    enabled: asked !== null,
    queryFn: async ({ signal }): Promise<Found | null> => {
      const call = { query: asked ?? {}, signal };
      const response = isShared
        ? await apiResponse(sharedComparison, { params: { token: id }, ...call })
        : await apiResponse(compareStudy, { params: { id }, ...call });
      return response.status === 202 ? null : ((await response.json()) as Found);
    },
    refetchInterval: ({ state }) => (state.data === null && !state.error ? POLL_MS : false),
  });
}
