import { DRAWN_REGIONS, OWN_FILES } from "@stipple/contract/platforms/own-files";
import { ownFile, uploadedChunks } from "@stipple/contract/routes/uploads";
import { useQuery } from "@tanstack/react-query";
import { api, apiResponse } from "../../../../app/api.ts";
import { useViewer } from "../../state/viewer-context.tsx";

/** A file with regions that was uploaded with the project. */
export interface UploadedRegions {
  slot: string;
  fileName: string;
  /** Whether the project leaves them out. */
  excluded: boolean;
}

/** The project's files with regions, without those that were made of what is in the view. */
export function useUploadedRegions(mayEdit: boolean): readonly UploadedRegions[] {
  const { projectId } = useViewer();
  const { data = [] } = useQuery({
    queryKey: ["uploaded-regions", projectId],
    enabled: mayEdit,
    staleTime: 0,
    retry: false,
    queryFn: async ({ signal }) => {
      const slots = OWN_FILES.filter(({ id }) => id === "regions" || id === "excluded");
      const files = slots.map(async ({ id, group, part }) => {
        const query = { project_id: projectId, type: part };
        const state = await api(uploadedChunks, { params: { group }, query, signal });
        const fileName = state.complete ? state.file_name : null;
        return { slot: id, fileName: fileName ?? DRAWN_REGIONS, excluded: id === "excluded" };
      });
      return (await Promise.all(files)).filter(({ fileName }) => fileName !== DRAWN_REGIONS);
    },
  });
  return data;
}

/** Reads it back. Errors as `apiResponse`. */
export async function uploadedFile(
  projectId: string,
  { slot, fileName }: UploadedRegions,
): Promise<File> {
  const response = await apiResponse(ownFile, { params: { id: projectId, slot } });
  return new File([await response.blob()], fileName);
}
