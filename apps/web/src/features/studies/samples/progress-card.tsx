import { missingSlots } from "@stipple/contract/platforms/index";
import type { Study, StudySample } from "@stipple/contract/routes/studies";
import { queueWorkflow } from "@stipple/contract/routes/workflow";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { Link } from "wouter";
import { api, errorText } from "../../../app/api.ts";
import { analysisPath } from "../../../app/use-project-id.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { ProgressBar } from "../../../components/progress-bar.tsx";
import { Table, type Column } from "../../../components/table.tsx";
import { fetchStatus } from "../../../project/fetch-status.ts";
import { runTexts } from "../../../project/texts.ts";
import { byteText } from "../../../project/uploads/byte-text.ts";
import { useUploads } from "../../../project/uploads/uploads.ts";
import { studyKey, useChoosableProjects } from "../use-studies.ts";
import { progressRows, type ProgressRow } from "./progress-rows.ts";
import { sendAgain, useSendings, type Sending } from "./send-samples.ts";
import { PROGRESS_TEXTS as TEXTS } from "./texts.ts";

/** The samples without results: what this tab sends of them, and what the server says. */
export function ProgressCard({ study }: { study: Study }) {
  const client = useQueryClient();
  const sendings = useSendings().filter(({ studyId }) => studyId === study.id);
  const queued = sendings.filter(({ state }) => state === "queued").length;
  useEffect(() => {
    // The server says from now on how they are.
    if (queued > 0) void client.invalidateQueries({ queryKey: studyKey(study.id) });
  }, [client, queued, study.id]);
  const rows = progressRows(study.samples, sendings);
  if (rows.length === 0) return null;
  const columns: readonly Column<ProgressRow>[] = [
    {
      header: TEXTS.sample,
      className: "font-medium [overflow-wrap:anywhere]",
      cell: ({ name, sample }) =>
        sample?.project_id ? (
          <Link to={analysisPath(3, sample.project_id)} className="text-primary hover:underline">
            {name}
          </Link>
        ) : (
          name
        ),
    },
    { header: TEXTS.state, cell: (row) => <State studyId={study.id} row={row} /> },
  ];
  return (
    <Card flush title={TEXTS.title} description={TEXTS.text}>
      <Table
        caption={TEXTS.title}
        columns={columns}
        rows={rows}
        // Samples may share a name.
        rowKey={({ name, sample, sending }) => sample?.project_id ?? sending?.projectId ?? name}
      />
    </Card>
  );
}

function State({ studyId, row: { name, sample, sending } }: { studyId: string; row: ProgressRow }) {
  switch (sending?.state) {
    case "creating":
      return TEXTS.creating;
    case "queueing":
      return TEXTS.queueing;
    case "uploading":
      return <Uploading sending={sending} />;
    case "failed":
      return (
        <WithButton
          text={<span className="text-bad">{sending.failure}</span>}
          button={
            <Button
              size="sm"
              aria-label={TEXTS.retryNamed(name)}
              onClick={() => void sendAgain(sending)}
            >
              {TEXTS.retry}
            </Button>
          }
        />
      );
    default:
      return sample ? <OnServer studyId={studyId} sample={sample} /> : null;
  }
}

function WithButton({ text, button }: { text: ReactNode; button: ReactNode }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:justify-end">
      <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
      {button}
    </span>
  );
}

function Uploading({ sending: { name, projectId, sample } }: { sending: Sending }) {
  const own = [...useUploads().values()].filter((one) => one.projectId === projectId);
  const total = sample.files.reduce((sum, { file }) => sum + file.size, 0);
  const sent = own.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  const percent = total === 0 ? 0 : Math.min(100, Math.floor((100 * sent) / total));
  const text = TEXTS.uploading(percent, byteText(total));
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:justify-end">
      <ProgressBar value={percent} label={TEXTS.progress(name)} className="max-w-40" />
      {text}
    </span>
  );
}

function OnServer({ studyId, sample }: { studyId: string; sample: StudySample }) {
  const { name, project_id: id, status, waits, refusal } = sample;
  if (status === "pending" || status === "processing") return TEXTS[status];
  if (waits) return runTexts.waits;
  if (status === "failed") return TEXTS.failed;
  if (id === null) return null;
  return <Idle studyId={studyId} id={id} name={name} refusal={refusal} />;
}

/** A sample whose files are missing, or that can be started. */
function Idle({
  studyId,
  id,
  name,
  refusal,
}: {
  studyId: string;
  id: string;
  name: string;
  refusal: string | null;
}) {
  const client = useQueryClient();
  const { data: projects } = useChoosableProjects();
  const { data: status } = useQuery({
    queryKey: ["status", id],
    queryFn: ({ signal }) => fetchStatus(id, signal),
  });
  const starting = useMutation({
    mutationFn: () => api(queueWorkflow, { body: { project_id: id } }),
    onSettled: () => void client.invalidateQueries({ queryKey: studyKey(studyId) }),
  });
  const platform = projects?.find((one) => one.id === id)?.analysis_options.platform;
  if (!status || !platform) return null;
  const missing = missingSlots(platform, new Set(Object.keys(status.input_files)));
  if (missing.length > 0) {
    return (
      <WithButton
        text={TEXTS.missing(missing.map(({ label }) => label).join(", "))}
        button={
          <ButtonLink size="sm" to={`/studies/${studyId}/samples`}>
            {TEXTS.addFiles}
          </ButtonLink>
        }
      />
    );
  }
  const reason = starting.error ? errorText(starting.error) : refusal;
  return (
    <WithButton
      text={reason === null ? TEXTS.ready : TEXTS.notStarted(reason)}
      button={
        <Button
          size="sm"
          aria-label={TEXTS.startNamed(name)}
          busy={starting.isPending}
          onClick={() => starting.mutate()}
        >
          {TEXTS.start}
        </Button>
      }
    />
  );
}
