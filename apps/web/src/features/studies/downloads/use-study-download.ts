import {
  prepareStudyDownload,
  type Study,
  type StudyDownload,
} from "@stipple/contract/routes/studies";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { apiResponse } from "../../../app/api.ts";
import { saveFrom } from "../save-text.ts";
import { studyKey } from "../use-studies.ts";

interface Prepared {
  refusal: string | null;
  download: { url: string; file_name: string } | null;
}

const POLL_MS = 2_000;

/** Asks for a file, the n-th that was asked for, until it is there, and has the browser download it. */
export function useStudyDownload({ id }: Study, asked: { part: StudyDownload; n: number } | null) {
  const { data, error } = useQuery({
    queryKey: [...studyKey(id), "download", asked],
    enabled: asked !== null,
    queryFn: async ({ signal }): Promise<Prepared | null> => {
      const call = { params: { id }, query: { part: asked?.part ?? "h5ad" }, signal };
      const response = await apiResponse(prepareStudyDownload, call);
      return response.status === 202 ? null : ((await response.json()) as Prepared);
    },
    refetchInterval: ({ state }) => (state.data === null && !state.error ? POLL_MS : false),
    refetchOnWindowFocus: false,
    // The link is for one download.
    ...{ staleTime: Infinity, gcTime: 0, retry: false },
  });
  const download = data?.download;
  useEffect(() => {
    if (download) saveFrom(download.url, download.file_name);
  }, [download]);
  return { error, refusal: data?.refusal, started: download?.file_name };
}
