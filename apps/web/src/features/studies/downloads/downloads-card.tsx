import { STUDY_DOWNLOADS, type Study, type StudyDownload } from "@stipple/contract/routes/studies";
import { useState } from "react";
import { errorText } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Notice } from "../../../components/notice.tsx";
import { STUDIES_TEXTS } from "../texts.ts";
import { DOWNLOAD_TEXTS as TEXTS } from "./texts.ts";
import { useStudyDownload } from "./use-study-download.ts";

/** All samples as one file, in several formats; each is written when it is asked for. */
export function DownloadsCard({ study, isSaved }: { study: Study; isSaved: boolean }) {
  const [asked, setAsked] = useState<{ part: StudyDownload; n: number } | null>(null);
  const { error, refusal, started } = useStudyDownload(study, asked);
  if (study.samples.length < 2) return null;
  const trouble = error ? errorText(error, STUDIES_TEXTS.connection) : refusal;
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
