import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { useQueries } from "@tanstack/react-query";
import type { ServerChunks } from "./chunk-plan.ts";
import { httpTransport } from "./http-transport.ts";
import { isFilled, slotState, type SlotState } from "./slot-state.ts";
import { uploadKey } from "./upload.ts";
import { useUploads } from "./uploads.ts";

/** The slots of a project, by id. */
export interface SlotStates<Id extends string> {
  states: ReadonlyMap<Id, SlotState>;
  /** Those whose files are on the server. */
  filled: ReadonlySet<Id>;
  /** What the server held when the page opened. */
  held: ReadonlyMap<Id, ServerChunks>;
  error: Error | null;
}

/** What each slot holds: this tab's upload if there is one, else what the server is asked for once. */
export function useSlotStates<Id extends string>(
  projectId: string,
  slots: readonly (UploadSlot & { id: Id })[],
): SlotStates<Id> {
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
  const held = new Map(
    slots.flatMap(({ id }, at) => (answers[at]?.data ? [[id, answers[at].data] as const] : [])),
  );
  const states = new Map(
    slots.map(({ id }) => [id, slotState(uploads.get(uploadKey(projectId, id)), held.get(id))]),
  );
  return {
    states,
    filled: new Set([...states].filter(([, state]) => isFilled(state)).map(([id]) => id)),
    held,
    error: answers.find(({ error }) => error)?.error ?? null,
  };
}
