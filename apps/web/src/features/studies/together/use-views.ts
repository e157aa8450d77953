import { saveSectionLandmarks } from "@stipple/contract/routes/study-view";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, errorText } from "../../../app/api.ts";
import { studyKey } from "../use-studies.ts";
import type { SectionPoint } from "./marking.ts";
import { LANDMARK_TEXTS } from "./texts.ts";

/** Of links to the views of a study's samples, and the landmarks between them. */
export const viewsKey = (studyId: string): string[] => [...studyKey(studyId), "views"];

/** Keeps landmarks between two sections; none removes them. */
export function useSavedLandmarks(studyId: string) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: { between: [string, string]; points: SectionPoint[] }) =>
      api(saveSectionLandmarks, { params: { id: studyId }, body }),
    onSuccess: ({ landmarks }) =>
      client.setQueryData<object>(viewsKey(studyId), (known) => known && { ...known, landmarks }),
  });
  const failure = error && LANDMARK_TEXTS.failed(errorText(error));
  return { mutate, isPending, failure };
}
