import { OWN_FILES } from "@stipple/contract/platforms/own-files";
import { ownFileFindings } from "@stipple/contract/routes/uploads";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";
import { isUnderWay } from "../uploads/upload.ts";
import { useSlotStates } from "../uploads/use-slot-states.ts";

export type OwnFiles = ReturnType<typeof useOwnFiles>;

/** The files that the user added to a sample. `isComplete`: whether the sample's files are all there, so that the server can compare them. */
export function useOwnFiles(projectId: string, isComplete: boolean) {
  const { states, filled, version } = useSlotStates(projectId, OWN_FILES);
  const looked = useQuery({
    queryKey: ["own-files", projectId, version],
    enabled: isComplete && filled.size > 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => api(ownFileFindings, { params: { id: projectId }, signal }),
  });
  return {
    states,
    filled,
    isUploading: [...states.values()].some(
      (state) => state.kind === "upload" && isUnderWay(state.upload),
    ),
    version,
    findings: new Map(looked.data?.map((finding) => [finding.slot, finding])),
    isLooking: looked.isFetching,
  };
}
