import type { DownloadPartId } from "@stipple/contract/downloads";
import { useEffect, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Overlay } from "../../components/overlay.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { resultsTexts } from "./texts.ts";
import { downloadResults, progressText } from "./download.ts";
import type { ResultsMessage } from "./use-visualization.tsx";

export type Download = ReturnType<typeof useDownload>;

/** Downloads of a project's results; one at a time. */
export function useDownload(
  projectId: string,
  onMessage: (message: ResultsMessage | null) => void,
) {
  const [progress, setProgress] = useState<{ loaded: number; total: number | null } | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  /** Saves the results, or one part of them, as a file. */
  async function start(part?: DownloadPartId): Promise<void> {
    onMessage(null);
    const controller = new AbortController();
    abort.current = controller;
    setProgress({ loaded: 0, total: null });
    try {
      const outcome = await downloadResults(
        { project_id: projectId, ...(part && { part }) },
        (loaded, total) => setProgress({ loaded, total }),
        controller.signal,
      );
      onMessage({ text: resultsTexts.downloadOutcomes[outcome], failed: false });
    } catch (error) {
      onMessage({ text: (error as Error).message, failed: true });
    } finally {
      setProgress(null);
    }
  }

  /** Covers the page, shows how far the download is, and can cancel it. */
  const overlay = progress && (
    <Overlay title={resultsTexts.downloading} text={progressText(progress.loaded, progress.total)}>
      <ProgressBar
        value={progress.total ? (100 * progress.loaded) / progress.total : null}
        label={resultsTexts.downloading}
      />
      <Button className="mt-5 w-full" onClick={() => abort.current?.abort()}>
        {resultsTexts.cancel}
      </Button>
    </Overlay>
  );
  return { start, busy: progress !== null, overlay };
}
