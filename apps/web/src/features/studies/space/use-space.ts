import {
  studySpace,
  studySpacePoints,
  type StudySpaceAnswer,
} from "@stipple/contract/routes/studies";
import { sharedSpace, sharedSpacePoints } from "@stipple/contract/routes/study-sharing";
import { unpackPoints, type StudyPoints } from "@stipple/contract/study-points";
import { useQuery } from "@tanstack/react-query";
import { apiResponse } from "../../../app/api.ts";
import type { AskedStudy } from "../asked-study.ts";
import { studyKey } from "../use-studies.ts";

/** What is placed, and by which values. */
export interface AskedSpace {
  of: "cells" | "spots";
  on: "counts" | "rate";
}

type Found =
  | { refusal: string; space: null; points: null }
  | { refusal: null; space: StudySpaceAnswer; points: StudyPoints };

const POLL_MS = 2_000;

/** The joint space of a stored design, with its points; null while it is computed. */
export function useSpace({ id, isShared, samples }: AskedStudy, asked: AskedSpace | null) {
  return useQuery({
    queryKey: [...studyKey(id), "space", asked, samples],
    enabled: asked !== null,
    // Points are large: not compared with those before, and dropped once the page is left.
    structuralSharing: false,
    gcTime: 0,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<Found | null> => {
      const query = asked ?? { of: "cells" as const };
      const call = { params: { id, token: id }, query, signal };
      const response = await apiResponse(isShared ? sharedSpace : studySpace, call);
      if (response.status === 202) return null;
      const { space, refusal } = (await response.json()) as Pick<Found, "space" | "refusal">;
      if (!space) return { refusal: refusal ?? "", space: null, points: null };
      const points = await apiResponse(isShared ? sharedSpacePoints : studySpacePoints, call);
      if (points.status === 202) return null;
      return { refusal: null, space, points: unpackPoints(await points.arrayBuffer()) };
    },
    refetchInterval: ({ state }) => (state.data === null && !state.error ? POLL_MS : false),
    refetchOnWindowFocus: false,
  });
}
