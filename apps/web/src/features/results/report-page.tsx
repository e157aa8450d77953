import { getReport } from "@stipple/contract/routes/results";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { apiResponse, errorText } from "../../app/api.ts";
import { analysisPath, useProjectId } from "../../app/use-project-id.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { ClosedResults, isClosed } from "./closed-results.tsx";
import { projectMissing } from "../../project/texts.ts";
import { resultsTexts } from "./texts.ts";
import { ProjectLine } from "../../project/project-line.tsx";
import { fetchStatus } from "../../project/fetch-status.ts";

/**
 * A project's report, filling the page, in a frame without an origin that can load nothing and run nothing but the
 * script that sorts its tables.
 */
export function ReportPage() {
  usePageTitle(resultsTexts.reportTitle);
  const projectId = useProjectId();
  const { data, error, refetch } = useQuery({
    queryKey: ["report", projectId],
    enabled: projectId !== null,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const query = { project_id: projectId! };
      return (await apiResponse(getReport, { query, signal })).text();
    },
  });
  const { data: status } = useQuery({
    queryKey: ["report-status", projectId],
    enabled: projectId !== null,
    queryFn: ({ signal }) => fetchStatus(projectId!, signal),
  });
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-card px-4 py-2">
        <ButtonLink
          size="sm"
          to={analysisPath(projectId === null ? 1 : 4, projectId)}
          icon={<ArrowLeft aria-hidden className="size-4" />}
        >
          {resultsTexts.toResults}
        </ButtonLink>
        <h1 className="min-w-0 text-base font-semibold [overflow-wrap:anywhere]">
          {resultsTexts.reportTitle}
          {status && `: ${status.project_name}`}
        </h1>
        <ProjectLine
          options={status?.analysis_options}
          finishedAt={status?.finished_at}
          className="text-[0.8125rem] text-ink-3"
        />
      </header>
      {isClosed(error) ? (
        <div className="p-6">
          <ClosedResults />
        </div>
      ) : projectId === null || error ? (
        <div className="p-6">
          <Notice
            tone="warn"
            title={projectId === null ? projectMissing.results : resultsTexts.reportFailed}
            actions={
              error && <Button onClick={() => void refetch()}>{resultsTexts.tryAgain}</Button>
            }
          >
            {errorText(error, "")}
          </Notice>
        </div>
      ) : data === undefined ? (
        <div role="status" className="p-6">
          <span className="sr-only">{resultsTexts.reportLoading}</span>
          <Skeleton className="h-40" />
        </div>
      ) : (
        <>
          <iframe
            title={resultsTexts.reportTitle}
            sandbox="allow-scripts allow-modals"
            srcDoc={data}
            className="min-h-0 flex-1 bg-white print:hidden"
          />
          {/* The page around it would print only what its frame shows. */}
          <p className="hidden p-6 print:block">{resultsTexts.reportPrint}</p>
        </>
      )}
    </div>
  );
}
