import { pieces, type PiecesAnswer } from "@stipple/contract/routes/pieces";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";

const NONE: PiecesAnswer = { pieces: [], noun: "spot", fault: null };

/** Pieces of tissue that lie apart on a project's slide; none while they are looked for, or if that is not possible. */
export function usePieces(
  projectId: string,
  /** Whether the sample's files are all there. */
  isComplete: boolean,
  /** Changes with the files that are added to the sample. */
  version = "",
): PiecesAnswer {
  const { data } = useQuery({
    queryKey: ["pieces", projectId, version],
    enabled: isComplete,
    staleTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
    queryFn: ({ signal }) => api(pieces, { params: { id: projectId }, signal }),
  });
  return isComplete ? (data ?? NONE) : NONE;
}
