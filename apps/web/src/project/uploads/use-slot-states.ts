import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { useQueries } from "@tanstack/react-query";
import { httpTransport } from "./http-transport.ts";
import { uploadKey, type Upload } from "./upload.ts";
import { useUploads } from "./uploads.ts";
import type { ServerChunks } from "./chunk-plan.ts";

/** What each slot holds: this tab's upload if there is one, else what the server is asked for once. */
export function useSlotStates<Id extends string>(
  projectId: string,
  slots: readonly (UploadSlot & { id: Id })[],
) {
  const uploads = useUploads();
  const answers = useQueries({
    queries: slots.map((slot) => ({
      queryKey: ["uploaded-chunks", projectId, slot.id],
      staleTime: 0,
      refetchOnWindowFocus: false,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        httpTransport.received(projectId, slot, signal),
    })),
  });
  /** What the server held when the page opened. */
  const held = new Map(
    slots.flatMap(({ id }, at) => (answers[at]?.data ? [[id, answers[at].data] as const] : [])),
  );
  const states = new Map(
    slots.map(({ id }) => [id, slotState(uploads.get(uploadKey(projectId, id)), held.get(id))]),
  );
  const filled = slots.map(({ id }) => id).filter((id) => isFilled(states.get(id)!));
  return {
    states,
    /** Those whose files are on the server. */
    filled: new Set(filled),
    /** Changes with these files. */
    version: filled
      .map((id) => {
        const upload = uploads.get(uploadKey(projectId, id));
        const sums = held.get(id)?.sha256 ?? [];
        return `${id}:${upload ? `${upload.fileName}/${upload.totalBytes}` : sums.join("")}`;
      })
      .join(" "),
    error: answers.find(({ error }) => error)?.error ?? null,
  };
}

/** What a slot's row shows: this tab's upload if there is one, else what the server holds. */
export type SlotState =
  | { kind: "empty" }
  | { kind: "unfinished"; fileName: string; percent: number }
  | { kind: "uploaded"; fileName: string; bytes: number | null }
  | { kind: "upload"; upload: Upload };

export function slotState(upload: Upload | undefined, server: ServerChunks | undefined): SlotState {
  if (upload) return { kind: "upload", upload };
  if (server?.file_name && server.complete)
    return { kind: "uploaded", fileName: server.file_name, bytes: server.size };
  if (server?.file_name && server.chunks && server.received.length > 0) {
    const percent = Math.floor((100 * server.received.length) / server.chunks);
    return { kind: "unfinished", fileName: server.file_name, percent };
  }
  return { kind: "empty" };
}

/** Whether the slot's file is safely on the server. */
export function isFilled(state: SlotState): boolean {
  return state.kind === "uploaded" || (state.kind === "upload" && state.upload.state === "done");
}

/** The file of the slot that was chosen or uploaded. */
export function fileOf(state: SlotState): { name: string; bytes: number | null } | undefined {
  if (state.kind === "upload") {
    return { name: state.upload.fileName, bytes: state.upload.totalBytes };
  }
  return state.kind === "uploaded" ? { name: state.fileName, bytes: state.bytes } : undefined;
}
