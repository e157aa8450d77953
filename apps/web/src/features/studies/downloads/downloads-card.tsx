import {
  prepareStudyDownload,
  STUDY_DOWNLOADS,
  type Study,
  type StudyDownload,
} from "@stipple/contract/routes/studies";
import { useState, useEffect } from "react";
import { errorText, apiResponse } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Notice } from "../../../components/notice.tsx";
import { DOWNLOAD_TEXTS as TEXTS } from "./texts.ts";
import { useQuery } from "@tanstack/react-query";
import { saveFrom } from "../../../components/save-drawing.ts";
import { studyKey } from "../use-studies.ts";

const POLL_MS = 2_000;

/** All samples as one file, in several formats; each is written when it is asked for. */
export function DownloadsCard({ study, isSaved }: { study: Study; isSaved: boolean }) {
  const [asked, setAsked] = useState<{ part: StudyDownload; n: number } | null>(null);
  const { error, refusal, started } = useStudyDownload(study, asked);
  if (study.samples.length < 2) return null;
  const trouble = error ? errorText(error) : refusal;
  const isBusy = asked !== null && !trouble && !started;
  return (
    <Card title={TEXTS.title} description={TEXTS.text}>
      <ul className="space-y-4">
        {STUDY_DOWNLOADS.map((part) => (
          <li key={part} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <div>
              <p className="font-medium">{TEXTS.parts[part].title}</p>
              <p className="text-ink-2">{TEXTS.parts[part].text}</p>
            </div>
            <Button
              aria-label={TEXTS.download(TEXTS.parts[part].title)}
              busy={isBusy && asked.part === part}
              disabled={!isSaved || isBusy}
              onClick={() => setAsked({ part, n: (asked?.n ?? 0) + 1 })}
            >
              {TEXTS.action}
            </Button>
          </li>
        ))}
      </ul>
      {!isSaved && (
        <Notice tone="info" className="mt-4">
          {TEXTS.unsaved}
        </Notice>
      )}
      {trouble && (
        <Notice tone="warn" title={TEXTS.refused} className="mt-4">
          <p>{trouble}</p>
        </Notice>
      )}
      {(isBusy || started) && (
        <p role="status" className="mt-4 text-ink-2">
          {started ? TEXTS.started(started) : TEXTS.preparing}
        </p>
      )}
    </Card>
  );
}

interface Prepared {
  refusal: string | null;
  download: { url: string; file_name: string } | null;
}

/** Asks for a file, the n-th that was asked for, until it is there, and has the browser download it. */
function useStudyDownload({ id }: Study, asked: { part: StudyDownload; n: number } | null) {
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
