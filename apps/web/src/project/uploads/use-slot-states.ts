import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { useQueries } from "@tanstack/react-query";
import { httpTransport } from "./http-transport.ts";
import { isFilled, slotState } from "./slot-state.ts";
import { uploadKey } from "./upload.ts";
import { useUploads } from "./uploads.ts";

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
  return {
    states,
    /** Those whose files are on the server. */
    filled: new Set([...states].filter(([, state]) => isFilled(state)).map(([id]) => id)),
    held,
    error: answers.find(({ error }) => error)?.error ?? null,
  };
}
