import { OWN_FILES, type OwnFile } from "@stipple/contract/platforms/own-files";
import { ownFileFindings } from "@stipple/contract/routes/uploads";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";
import type { SlotState } from "../uploads/slot-state.ts";
import { isUnderWay } from "../uploads/upload.ts";
import { useSlotStates } from "../uploads/use-slot-states.ts";

export interface OwnFileFinding {
  is_fault: boolean;
  sentence: string;
}

/** The files that the user added to a sample. */
export interface OwnFiles {
  states: ReadonlyMap<OwnFile, SlotState>;
  /** Those that the server has. */
  filled: ReadonlySet<OwnFile>;
  isUploading: boolean;
  /** Changes with the files. */
  version: string;
  findings: Partial<Record<string, OwnFileFinding>>;
  isLooking: boolean;
}

/** `isComplete`: whether the sample's files are all there, so that the server can compare them. */
export function useOwnFiles(projectId: string, isComplete: boolean): OwnFiles {
  const { states, filled, held } = useSlotStates(projectId, OWN_FILES);
  const version = [...filled]
    .map((id) => {
      const state = states.get(id)!;
      const upload = state.kind === "upload" ? state.upload : undefined;
      const file = upload
        ? `${upload.fileName}/${upload.totalBytes}`
        : (held.get(id)?.sha256 ?? []).join("");
      return `${id}:${file}`;
    })
    .join(" ");
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
    findings: Object.fromEntries((looked.data ?? []).map(({ slot, ...rest }) => [slot, rest])),
    isLooking: looked.isFetching,
  };
}
