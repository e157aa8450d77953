import { useQuery } from "@tanstack/react-query";
import { useViewer } from "../state/viewer-context.tsx";

/** A column of offsets into a file of outlines; undefined until loaded. */
export function useOffsets(
  name: "polygons.offsets" | "nuclei.offsets",
  enabled: boolean,
): Uint32Array | undefined {
  const { source, projectId } = useViewer();
  return useQuery({
    queryKey: ["viewer-offsets", projectId, name],
    enabled,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
    queryFn: async ({ signal }) => (await source.column(name, signal)) as Uint32Array,
  }).data;
}
