import { isTrial } from "@stipple/contract/business/plans";
import { STATUS_POLL_MS } from "@stipple/contract/business/intervals";
import { getStatistics } from "@stipple/contract/routes/results";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Download, Sparkles } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { api, ApiError, errorText } from "../../app/api.ts";
import { useSharedQuery } from "../../app/polling/use-shared-query.ts";
import { useSession } from "../../app/session.ts";
import { TrialBanner } from "../../app/subscription/trial-banner.tsx";
import { analysisPath, useProjectId } from "../../app/use-project-id.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Overlay } from "../../components/overlay.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { projectMissing, resultsTexts } from "../../texts/analysis.ts";
import { VerdictCard, VerdictSkeleton } from "../verdict/verdict-card.tsx";
import { ChangeButton } from "../workflow/change/change-button.tsx";
import { fetchStatus } from "../workflow/fetch-status.ts";
import { isComplete } from "../workflow/phase.ts";
import { downloadResults, progressText } from "./download.ts";
import { ReportButton } from "./report-button.tsx";
import { StatisticsTiles } from "./statistics-tiles.tsx";
import { Transformation } from "./transformation.tsx";
import {
  VisualizationButton,
  VisualizationLink,
  type ResultsMessage,
} from "./visualization-button.tsx";

/** Step 4: figures, images, interactive view and download. */
export function Step4Page() {
  const projectId = useProjectId();
  if (projectId === null)
    return (
      <Notice
        tone="warn"
        title={projectMissing.results}
        actions={<ButtonLink to={analysisPath(1)}>{projectMissing.link}</ButtonLink>}
      />
    );
  return <Results key={projectId} projectId={projectId} />;
}

function Results({ projectId }: { projectId: string }) {
  const { user, verified } = useSession();
  const [message, setMessage] = useState<ResultsMessage | null>(null);
  const status = useSharedQuery({
    queryKey: ["results-status", projectId],
    queryFn: ({ signal }) => fetchStatus(projectId, signal),
    pollMs: ({ data, error }) =>
      (data && isComplete(data)) || (error instanceof ApiError && error.status === 404)
        ? false
        : STATUS_POLL_MS,
  });
  const ready = status.data !== undefined && isComplete(status.data);
  const statistics = useQuery({
    queryKey: ["statistics", projectId, status.data?.finished_at],
    queryFn: ({ signal }) => api(getStatistics, { query: { project_id: projectId }, signal }),
    enabled: ready,
  });
  const onTrial = isTrial(user.subscription_tier);
  const loading = status.isPending || (ready && statistics.isPending);
  const loadError = status.error ?? statistics.error;

  return (
    <div className="flex flex-col gap-6">
      <TrialBanner />
      {status.data && !ready && (
        <Notice
          tone="info"
          title={resultsTexts.notReady}
          actions={
            <ButtonLink variant="primary" to={analysisPath(3, projectId)} state={{ projectId }}>
              {resultsTexts.toWorkflow}
            </ButtonLink>
          }
        >
          {resultsTexts.notReadyText}
        </Notice>
      )}
      {loading ? (
        <VerdictSkeleton />
      ) : (
        statistics.data?.verdict && <VerdictCard verdict={statistics.data.verdict} />
      )}
      <StatisticsTiles statistics={statistics.data} loading={loading} />
      <StatusMessage
        className="empty:absolute"
        text={loadError && resultsTexts.statisticsFailed}
        reason={errorText(loadError, "")}
        failed
      />
      <div className="flex flex-wrap gap-3">
        <VisualizationButton projectId={projectId} ready={ready} onMessage={setMessage} />
        {verified && onTrial ? (
          <ButtonLink
            to="/pricing"
            className="max-sm:w-full"
            icon={<Sparkles aria-hidden className="size-4" />}
          >
            {resultsTexts.subscribe}
          </ButtonLink>
        ) : (
          <DownloadButton projectId={projectId} ready={ready && verified} onMessage={setMessage} />
        )}
        <ReportButton projectId={projectId} ready={ready} />
        <ChangeButton
          projectId={projectId}
          ready={ready}
          hasCells={status.data?.input_files["cells"] !== undefined}
        />
      </div>
      <div className={message ? "flex flex-wrap items-center gap-3" : "contents"}>
        <StatusMessage
          className="min-w-0 flex-1 empty:absolute"
          text={message?.text}
          reason={message?.reason}
          failed={message?.failed ?? false}
        />
        {message?.view && <VisualizationLink address={message.view} />}
        {message?.plans && <ButtonLink to="/pricing">{resultsTexts.seePlans}</ButtonLink>}
      </div>
      {verified && onTrial && (
        <Notice tone="warn" title={resultsTexts.limitationsTitle}>
          <ul className="mt-1 grid list-disc gap-x-8 pl-4 sm:grid-cols-2">
            {resultsTexts.limitations.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      <Transformation
        projectId={projectId}
        version={ready ? (status.data?.finished_at ?? null) : undefined}
      />
      <footer className="border-t border-line pt-5">
        <ButtonLink
          to={analysisPath(3, projectId)}
          state={{ projectId }}
          icon={<ArrowLeft aria-hidden className="size-4" />}
        >
          {resultsTexts.back}
        </ButtonLink>
      </footer>
    </div>
  );
}

/** Saves the results as one zip file, with a blocking overlay that shows progress and can cancel. */
function DownloadButton({
  projectId,
  ready,
  onMessage,
}: {
  projectId: string;
  ready: boolean;
  onMessage: (message: ResultsMessage | null) => void;
}) {
  const [progress, setProgress] = useState<{ loaded: number; total: number | null } | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function download(): Promise<void> {
    onMessage(null);
    const controller = new AbortController();
    abort.current = controller;
    setProgress({ loaded: 0, total: null });
    try {
      const outcome = await downloadResults(
        projectId,
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

  return (
    <>
      <Button
        className="max-sm:w-full"
        icon={<Download aria-hidden className="size-4" />}
        disabled={!ready}
        busy={progress !== null}
        onClick={download}
      >
        {resultsTexts.download}
      </Button>
      {progress && (
        <Overlay
          title={resultsTexts.downloading}
          text={progressText(progress.loaded, progress.total)}
        >
          <ProgressBar
            value={progress.total ? (100 * progress.loaded) / progress.total : null}
            label={resultsTexts.downloading}
          />
          <Button className="mt-5 w-full" onClick={() => abort.current?.abort()}>
            {resultsTexts.cancel}
          </Button>
        </Overlay>
      )}
    </>
  );
}
