import { compareStudy, type Study, type StudyComparison } from "@stipple/contract/routes/studies";
import { useQuery } from "@tanstack/react-query";
import { apiResponse } from "../../app/api.ts";
import { studyKey } from "./use-studies.ts";

/** What is compared. */
export interface Asked {
  baseline: string;
  other: string;
  patients: "yes" | "no";
  batches: "yes" | "no";
}

interface Found {
  refusal: string | null;
  comparison: StudyComparison | null;
}

const POLL_MS = 2_000;

/** The comparison of a stored design; null while it is computed. */
export function useComparison({ id, samples }: Study, asked: Asked | null) {
  return useQuery({
    queryKey: [...studyKey(id), "comparison", asked, samples],
    enabled: asked !== null,
    queryFn: async ({ signal }): Promise<Found | null> => {
      const response = await apiResponse(compareStudy, {
        params: { id },
        query: asked ?? {},
        signal,
      });
      return response.status === 202 ? null : ((await response.json()) as Found);
    },
    refetchInterval: ({ state }) => (state.data === null && !state.error ? POLL_MS : false),
    refetchOnWindowFocus: false,
  });
}

/** The conditions of a design, in the order of its rows. */
export function conditionsOf({ samples }: Study): string[] {
  return [...new Set(samples.map(({ condition }) => condition).filter((one) => one !== ""))];
}
