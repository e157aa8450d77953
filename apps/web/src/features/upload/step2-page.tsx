import type { Project } from "@stipple/contract";
import { DEFAULT_PLATFORM, missingSlots, platformById } from "@stipple/contract/platforms/index";
import { listProjects } from "@stipple/contract/routes/projects";
import { UPLOAD_GROUPS, type UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { api, errorText } from "../../app/api.ts";
import { analysisPath, useProjectId } from "../../app/use-project-id.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { MoreFiles } from "../../project/own-files/more-files.tsx";
import { useOwnFiles } from "../../project/own-files/use-own-files.ts";
import { PiecesNotice } from "../../project/pieces/pieces-notice.tsx";
import { ConfigurationLink } from "../../project/configuration-link.tsx";
import { configurationText } from "../../project/project-facts.ts";
import { projectMissing } from "../../project/texts.ts";
import { uploadTexts } from "../../project/uploads/texts.ts";
import { byteText } from "../../project/uploads/byte-text.ts";
import { DropZone } from "../../project/uploads/drop-zone.tsx";
import { RegistrationSection } from "./registration/registration-section.tsx";
import { isSmallImage } from "../../project/uploads/slot-files.ts";
import { SlotRow } from "../../project/uploads/slot-row.tsx";
import { type SlotState, useSlotStates } from "../../project/uploads/use-slot-states.ts";
import { isUnderWay } from "../../project/uploads/upload.ts";
import { useUploads } from "../../project/uploads/uploads.ts";
import { useFileChoice, type Selection } from "./use-file-choice.ts";
import { workflowPlan } from "@stipple/contract/routes/workflow";

/** Step 2: the input files of a project. */
export function Step2Page() {
  const projectId = useProjectId();
  if (projectId === null)
    return (
      <Notice
        tone="warn"
        title={projectMissing.upload}
        actions={<ButtonLink to={analysisPath(1)}>{projectMissing.link}</ButtonLink>}
      />
    );
  return <UploadForm key={projectId} projectId={projectId} />;
}

function UploadForm({ projectId }: { projectId: string }) {
  const all = useUploads();
  const projects = useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => api(listProjects, { signal }),
  });
  const ofId = ({ id }: Project): boolean => id === projectId;
  const project = projects.data?.find(ofId);
  const platform = project?.analysis_options.platform ?? DEFAULT_PLATFORM;
  const { slots } = platformById(platform);
  const { states, filled, error } = useSlotStates(projectId, slots);
  const { selection, refusals, takeFiles, takeFile } = useFileChoice(projectId, slots, async () => {
    const known = projects.data ?? (await projects.refetch({ cancelRefetch: false })).data;
    return known ? known.find(ofId) : "unread";
  });

  const running = [...all.values()].filter(
    (u) => u.projectId === projectId && isUnderWay(u),
  ).length;
  const missing = missingSlots(platform, filled);
  const isComplete = project !== undefined && running === 0 && missing.length === 0;
  const own = useOwnFiles(projectId, isComplete);
  const { isChecking, fault } = useFilesCheck(projectId, isComplete, own.version);

  return (
    <div className="flex flex-col gap-6">
      <p className="-mt-4 min-h-5 text-ink-2">
        {project && (
          <>
            Project <span className="font-medium text-ink">{project.name}</span> ·{" "}
            {configurationText(project.analysis_options)}
            <ConfigurationLink projectId={projectId} />
          </>
        )}
      </p>
      <DropZone onFiles={(picked) => void takeFiles(picked)} />
      <SelectionMessages selection={selection} />
      {error && (
        <StatusMessage
          text={`Error: ${errorText(error, "The state of earlier uploads could not be loaded.")}`}
        />
      )}
      {projects.isLoadingError && !selection.message && (
        <StatusMessage text={uploadTexts.projectUnread} />
      )}
      <SlotGroups slots={slots}>
        {(slot) => (
          <SlotRow
            key={slot.id}
            projectId={projectId}
            slot={slot}
            state={states.get(slot.id)!}
            blocks={missing.some(({ id }) => id === slot.id)}
            refusal={refusals[slot.id]}
            warning={warningOf(slot, states.get(slot.id)!)}
            onChoose={(file) => void takeFile(slot, file)}
          />
        )}
      </SlotGroups>
      <PiecesNotice projectId={projectId} isComplete={isComplete} version={own.version} />
      <MoreFiles projectId={projectId} own={own} />
      <RegistrationSection projectId={projectId} isComplete={isComplete} version={own.version} />
      {fault && (
        <Notice tone="bad" title={uploadTexts.unusableTitle}>
          <p className="[overflow-wrap:anywhere]">{fault}</p>
        </Notice>
      )}
      <Footer projectId={projectId}>
        {running > 0 || missing.length > 0
          ? waitsFor(running, missing)
          : isChecking
            ? uploadTexts.checking
            : fault
              ? uploadTexts.unusable
              : uploadTexts.allThere}
      </Footer>
    </div>
  );
}

/** What became of the files that were not taken. */
function SelectionMessages({ selection }: { selection: Selection }) {
  return (
    <>
      <StatusMessage text={selection.message} failed />
      {selection.refused.length > 0 && (
        <Notice tone="bad" title={uploadTexts.refusedTitle}>
          <ul className="mt-1 flex flex-col gap-1">
            {selection.refused.map((sentence) => (
              <li key={sentence} className="[overflow-wrap:anywhere]">
                {sentence}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Skipped count={selection.skippedCount} sentences={selection.skipped} />
    </>
  );
}

/** A card for each group of files that the platform has. */
function SlotGroups({
  slots,
  children,
}: {
  slots: readonly UploadSlot[];
  children: (slot: UploadSlot) => ReactNode;
}) {
  const groups = UPLOAD_GROUPS.filter(
    (group) => group !== "more_files" && slots.some((slot) => slot.group === group),
  );
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      {groups.map((group) => (
        <Card key={group} title={uploadTexts.groups[group]} flush>
          <ul className="border-t border-line">
            {slots.filter((slot) => slot.group === group).map(children)}
          </ul>
        </Card>
      ))}
    </div>
  );
}

function warningOf(slot: UploadSlot, state: SlotState): string | undefined {
  if (state.kind !== "upload") return undefined;
  const { totalBytes: size, warning } = state.upload;
  return isSmallImage(slot, { size }) ? uploadTexts.smallImage(byteText(size)) : warning;
}

/** Which files are still on their way or missing. */
function waitsFor(running: number, missing: readonly UploadSlot[]): string {
  return running > 0
    ? `${uploadTexts.stillUploading(running)} ${uploadTexts.keepOpen}`
    : uploadTexts.stillMissing(missing.map(({ label }) => label));
}

/** The ways back and on, and what is still to be done. */
function Footer({ projectId, children }: { projectId: string; children: string }) {
  return (
    <footer className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
      <ButtonLink to={analysisPath(1, projectId)} state={{ projectId }}>
        {uploadTexts.back}
      </ButtonLink>
      <p role="status" className="min-w-0 flex-1 basis-64 text-right text-ink-2 max-sm:text-left">
        {children}
      </p>
      <ButtonLink
        to={analysisPath(3, projectId)}
        state={{ projectId }}
        variant="primary"
        className="flex-row-reverse max-sm:w-full"
        icon={ArrowRight}
      >
        {uploadTexts.next}
      </ButtonLink>
    </footer>
  );
}

/** How many of the chosen files are not taken; those that look like data are named with the reason. */
function Skipped({ count, sentences }: { count: number; sentences: readonly string[] }) {
  if (count === 0) return null;
  if (sentences.length === 0) {
    return <p className="-mt-2 text-ink-3">{uploadTexts.skipped(count)}</p>;
  }
  return (
    <div className="-mt-2 text-ink-3">
      <p>{uploadTexts.skipped(count)}</p>
      <details className="mt-1">
        <summary className="cursor-pointer text-[0.8125rem] text-ink-2">
          {uploadTexts.skippedDetails}
        </summary>
        <ul className="mt-1 flex max-h-64 list-disc flex-col gap-1 overflow-y-auto pl-5 text-[0.8125rem]">
          {[...new Set(sentences)].map((sentence) => (
            <li key={sentence} className="[overflow-wrap:anywhere]">
              {sentence}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/**
 * Whether a project's complete files fit together, as the server finds before a run: asked once all are there, and again
 * after each change.
 */
function useFilesCheck(
  projectId: string,
  isComplete: boolean,
  /** Changes with the files that are added to the sample. */
  version: string,
): { isChecking: boolean; fault: string | null } {
  const { data, isFetching } = useQuery({
    queryKey: ["files-check", projectId, version],
    enabled: isComplete,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      const body = { project_id: projectId };
      return (await api(workflowPlan, { body, signal })).files_fault;
    },
  });
  const isChecking = isComplete && isFetching;
  return { isChecking, fault: isComplete && !isFetching ? (data ?? null) : null };
}
