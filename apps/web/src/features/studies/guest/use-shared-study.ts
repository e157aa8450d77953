import { sharedStudy } from "@stipple/contract/routes/study-sharing";
import { useQuery } from "@tanstack/react-query";
import { api, ApiError } from "../../../app/api.ts";
import { studyKey } from "../use-studies.ts";
import { GUEST_TEXTS } from "./texts.ts";

/** How often an open page asks whether it may stay open. */
const ASK_AGAIN_MS = 60_000;

/** What a share link shows of a study; `end` says why it does not, or not any longer. */
export function useSharedStudy(token: string) {
  const { data, error, refetch } = useQuery({
    queryKey: [...studyKey(token), "shared"],
    queryFn: ({ signal }) => api(sharedStudy, { params: { token }, signal }),
    refetchInterval: ({ state }) => (endOf(state.error) ? false : ASK_AGAIN_MS),
  });
  const end = endOf(error);
  return { study: end ? undefined : data, end, error, refetch };
}

function endOf(error: Error | null): string | undefined {
  return error instanceof ApiError ? GUEST_TEXTS.ends[error.code] : undefined;
}
