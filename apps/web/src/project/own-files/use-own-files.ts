import { OWN_FILES, type OwnFile } from "@stipple/contract/platforms/own-files";
import { ownFileFindings } from "@stipple/contract/routes/uploads";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";
import { isFilled, slotState, type SlotState } from "../uploads/slot-state.ts";
import { isUnderWay, uploadKey } from "../uploads/upload-engine.ts";
import { useUploads } from "../uploads/uploads.ts";
import { useServerChunks } from "../uploads/use-server-chunks.ts";

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
  const all = useUploads();
  const server = useServerChunks(projectId, OWN_FILES);
  const states = new Map(
    OWN_FILES.map(({ id }) => [
      id,
      slotState(all.get(uploadKey(projectId, id)), server.bySlot[id]),
    ]),
  );
  const filled = new Set([...states].filter(([, state]) => isFilled(state)).map(([id]) => id));
  const version = [...filled]
    .map((id) => {
      const state = states.get(id)!;
      const upload = state.kind === "upload" ? state.upload : undefined;
      const file = upload
        ? `${upload.fileName}/${upload.totalBytes}`
        : (server.bySlot[id]?.sha256 ?? []).join("");
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
