import { uploadedChunks } from "@stipple/contract/routes/uploads";
import { UPLOAD_SLOTS } from "@stipple/contract/upload-slots";
import { useQueries } from "@tanstack/react-query";
import { api } from "../../app/api.ts";
import type { ServerChunks } from "./chunk-plan.ts";

/** What the server holds of each slot's file, by slot id; asked once when the page opens. */
export function useServerChunks(projectId: string): {
  bySlot: Record<string, ServerChunks | undefined>;
  error: Error | null;
} {
  const answers = useQueries({
    queries: UPLOAD_SLOTS.map((slot) => ({
      queryKey: ["uploaded-chunks", projectId, slot.id],
      staleTime: 0,
      refetchOnWindowFocus: false,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api(uploadedChunks, {
          params: { group: slot.group },
          query: { project_id: projectId, ...(slot.part ? { type: slot.part } : {}) },
          signal,
        }),
    })),
  });
  return {
    bySlot: Object.fromEntries(UPLOAD_SLOTS.map((slot, at) => [slot.id, answers[at]?.data])),
    error: answers.find(({ error }) => error)?.error ?? null,
  };
}
