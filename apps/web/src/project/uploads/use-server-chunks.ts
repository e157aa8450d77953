import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { useQueries } from "@tanstack/react-query";
import type { ServerChunks } from "./chunk-plan.ts";
import { httpTransport } from "./http-transport.ts";

/** What the server holds of each slot's file, by slot id; asked once when the page opens. */
export function useServerChunks(
  projectId: string,
  slots: readonly UploadSlot[],
): {
  bySlot: Record<string, ServerChunks | undefined>;
  error: Error | null;
} {
  const answers = useQueries({
    queries: slots.map((slot) => ({
      queryKey: ["uploaded-chunks", projectId, slot.id],
      staleTime: 0,
      refetchOnWindowFocus: false,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        httpTransport.received(projectId, slot, signal),
    })),
  });
  return {
    bySlot: Object.fromEntries(slots.map((slot, at) => [slot.id, answers[at]?.data ?? undefined])),
    error: answers.find(({ error }) => error)?.error ?? null,
  };
}
