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

/** `regions`: names that every sample has a region of. */
type Found = { regions: string[] } & (
  { refusal: string; comparison: null } | { refusal: null; comparison: StudyComparison }
);

const POLL_MS = 2_000;

/** The comparison of a stored design; null while it is computed. */
export function useComparison({ id, isShared, samples }: AskedStudy, asked: Asked | null) {
  return useQuery({
    queryKey: [...studyKey(id), "comparison", asked, samples],
    enabled: asked !== null,
    queryFn: async ({ signal }): Promise<Found | null> => {
      const call = { params: { id, token: id }, query: asked ?? {}, signal };
      const response = await apiResponse(isShared ? sharedComparison : compareStudy, call);
      return response.status === 202 ? null : ((await response.json()) as Found);
    },
    refetchInterval: ({ state }) => (state.data === null && !state.error ? POLL_MS : false),
  });
}
