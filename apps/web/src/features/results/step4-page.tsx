import { isTrial } from "@stipple/contract/business/plans";
import { STATUS_POLL_MS } from "@stipple/contract/business/intervals";
import { getStatistics } from "@stipple/contract/routes/results";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Download as DownloadIcon, Microscope, Sparkles } from "lucide-react";
import { useState } from "react";
import { api, ApiError, errorText } from "../../app/api.ts";
import { useSharedQuery } from "../../app/polling/use-shared-query.ts";
import { useSession } from "../../app/session.ts";
import { TrialBanner } from "../../app/subscription/trial-banner.tsx";
import { analysisPath, useProjectId } from "../../app/use-project-id.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { projectMissing } from "../../project/texts.ts";
import { resultsTexts } from "./texts.ts";
import { ProjectLine } from "../../project/project-line.tsx";
import { VerdictCard, VERDICT_HEIGHT } from "../../project/verdict/verdict-card.tsx";
import { ChangeButton } from "../../project/change/change-button.tsx";
import { fetchStatus } from "../../project/fetch-status.ts";
import { isComplete } from "../../project/phase.ts";
import { ClosedResults, isClosed } from "./closed-results.tsx";
import { DownloadParts } from "./download-parts.tsx";
import { NoResultsYet } from "./no-results-yet.tsx";
import { ReportButton } from "./report-button.tsx";
import { Tile } from "../../components/tile.tsx";
import { FIGURE_NAMES, figureText } from "./figure-text.ts";
import { Transformation } from "./transformation.tsx";
import { useDownload, type Download } from "./use-download.tsx";
import { useVisualization, VisualizationLink, type ResultsMessage } from "./use-visualization.tsx";
import { Skeleton } from "../../components/skeleton.tsx";

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

/** How far the project is, and its figures once it is done. */
function useResults(projectId: string) {
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
  return {
    status: status.data,
    statistics: statistics.data,
    ready,
    loading: status.isPending || (ready && statistics.isPending),
    error: status.error ?? statistics.error,
  };
}

function Results({ projectId }: { projectId: string }) {
  const { user, verified } = useSession();
  const [message, setMessage] = useState<ResultsMessage | null>(null);
  const { status, statistics, ready, loading, error } = useResults(projectId);
  const view = useVisualization(projectId, setMessage);
  const download = useDownload(projectId, setMessage);
  const onTrial = isTrial(user.subscription_tier);
  const finishedAt = status?.finished_at ?? null;
  if (isClosed(error)) return <ClosedResults />;

  return (
    <div className="flex flex-col gap-6">
      <div className="min-h-12">
        <h2 className="text-lg [overflow-wrap:anywhere]">{status?.project_name}</h2>
        <ProjectLine
          options={status?.analysis_options}
          finishedAt={ready ? status?.finished_at : null}
        />
      </div>
      <TrialBanner />
      {status && !ready && <NoResultsYet projectId={projectId} status={status} />}
      {loading && <Skeleton className={VERDICT_HEIGHT} />}
      {!loading && statistics?.verdict && (
        <VerdictCard verdict={statistics.verdict} ways={{ projectId, openView: view.start }} />
      )}
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {FIGURE_NAMES.map((name) => (
          <Tile
            key={name}
            label={name}
            value={figureText(name, statistics?.[name])}
            loading={loading}
          />
        ))}
      </div>
      <StatusMessage
        text={error && resultsTexts.statisticsFailed}
        reason={errorText(error, "")}
        failed
      />
      <div className="flex flex-wrap gap-3">
        <Button
          variant="primary"
          className="max-sm:w-full"
          icon={Microscope}
          disabled={!ready}
          busy={view.starting}
          onClick={view.start}
        >
          {resultsTexts.startVisualization}
        </Button>
        <DownloadButton download={download} ready={ready} />
        <ReportButton projectId={projectId} ready={ready} />
        <ChangeButton
          projectId={projectId}
          ready={ready}
          hasCells={status?.input_files["cells"] !== undefined}
        />
      </div>
      {view.overlay}
      {download.overlay}
      <ActionMessage message={message} />
      {verified && onTrial && <TrialLimits />}
      <Transformation projectId={projectId} version={ready ? finishedAt : undefined} />
      {ready && verified && !onTrial && (
        <DownloadParts projectId={projectId} version={finishedAt} download={download} />
      )}
      <footer className="border-t border-line pt-5">
        <ButtonLink to={analysisPath(3, projectId)} state={{ projectId }} icon={ArrowLeft}>
          {resultsTexts.back}
        </ButtonLink>
      </footer>
    </div>
  );
}

/** Trial users are offered a plan instead. */
function DownloadButton({ download, ready }: { download: Download; ready: boolean }) {
  const { user, verified } = useSession();
  if (verified && isTrial(user.subscription_tier)) {
    return (
      <ButtonLink to="/pricing" className="max-sm:w-full" icon={Sparkles}>
        {resultsTexts.subscribe}
      </ButtonLink>
    );
  }
  return (
    <Button
      className="max-sm:w-full"
      icon={DownloadIcon}
      disabled={!ready || !verified}
      busy={download.busy}
      onClick={() => void download.start()}
    >
      {resultsTexts.download}
    </Button>
  );
}

function ActionMessage({ message }: { message: ResultsMessage | null }) {
  return (
    <div className={message ? "flex flex-wrap items-center gap-3" : "contents"}>
      <StatusMessage
        className="min-w-0 flex-1"
        text={message?.text}
        reason={message?.reason}
        failed={message?.failed ?? false}
      />
      {message?.view && <VisualizationLink address={message.view} />}
      {message?.plans && <ButtonLink to="/pricing">{resultsTexts.seePlans}</ButtonLink>}
    </div>
  );
}

function TrialLimits() {
  return (
    <Notice tone="warn" title={resultsTexts.limitationsTitle}>
      <ul className="mt-1 grid list-disc gap-x-8 pl-4 sm:grid-cols-2">
        {resultsTexts.limitations.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Notice>
  );
}
