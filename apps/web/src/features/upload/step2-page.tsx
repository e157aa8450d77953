import { DEFAULT_PLATFORM, missingSlots, platformById } from "@stipple/contract/platforms/index";
import { listProjects } from "@stipple/contract/routes/projects";
import { UPLOAD_GROUPS, type UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { analysisPath, useProjectId } from "../../app/use-project-id.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { MoreFiles } from "../../project/own-files/more-files.tsx";
import { useOwnFiles } from "../../project/own-files/use-own-files.ts";
import { PiecesNotice } from "../../project/pieces/pieces-notice.tsx";
import { projectMissing } from "../../project/texts.ts";
import { refusals as refusalTexts, uploadTexts } from "../../project/uploads/texts.ts";
import { assignFiles, type Assignment } from "../../project/uploads/assign-files.ts";
import { byteText } from "../../project/uploads/byte-text.ts";
import { DropZone } from "../../project/uploads/drop-zone.tsx";
import type { Picked } from "../../project/uploads/dropped-files.ts";
import { RegistrationSection } from "./registration/registration-section.tsx";
import { Skipped } from "./skipped.tsx";
import { isSmallImage, prepared, slotRefusal } from "../../project/uploads/slot-files.ts";
import { SlotRow } from "../../project/uploads/slot-row.tsx";
import { isFilled, slotState } from "../../project/uploads/slot-state.ts";
import { isUnderWay, uploadKey } from "../../project/uploads/upload-engine.ts";
import { uploads, useUploads } from "../../project/uploads/uploads.ts";
import { useFilesCheck } from "./use-files-check.ts";
import { useRemoval } from "../../project/uploads/use-removal.ts";
import { useServerChunks } from "../../project/uploads/use-server-chunks.ts";

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

type Selection = Omit<Assignment, "matched"> & { message?: string };

const NOTHING_SELECTED: Selection = { refused: [], skipped: [], skippedCount: 0 };

function UploadForm({ projectId }: { projectId: string }) {
  const all = useUploads();
  const remove = useRemoval(projectId);
  const projects = useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => api(listProjects, { signal }),
  });
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED);
  const [refusals, setRefusals] = useState<Record<string, string>>({});
  const project = projects.data?.find(({ id }) => id === projectId);
  const platform = project?.analysis_options.platform ?? DEFAULT_PLATFORM;
  const { slots } = platformById(platform);
  const server = useServerChunks(projectId, slots);

  function refuse(slot: UploadSlot, reason: string): void {
    setRefusals((before) => ({ ...before, [slot.id]: reason }));
  }

  async function start(slot: UploadSlot, file: File): Promise<void> {
    setRefusals(({ [slot.id]: _gone, ...rest }) => rest);
    const ready = await prepared(slot, file).catch(() => undefined);
    if (ready) void uploads.add(projectId, slot, ready);
    else refuse(slot, refusalTexts.damaged(file.name));
  }

  async function takeFiles({ files, unreadable }: Picked): Promise<void> {
    if (files.length === 0 && unreadable.length === 0)
      return setSelection({ ...NOTHING_SELECTED, message: uploadTexts.noFile });
    // Without the project's resolution, the wrong bins of an HD sample might be taken.
    const known = projects.data ?? (await projects.refetch({ cancelRefetch: false })).data;
    if (!known) return setSelection({ ...NOTHING_SELECTED, message: uploadTexts.projectUnread });
    const options = known.find(({ id }) => id === projectId)?.analysis_options;
    const { matched, ...assigned } = await assignFiles(files, {
      platform: options?.platform ?? DEFAULT_PLATFORM,
      resolution: options?.resolution,
    });
    const refused = [...assigned.refused, ...unreadable.map(refusalTexts.unreadable)];
    const isNothing = matched.length === 0 && refused.length === 0;
    setSelection({
      ...assigned,
      refused,
      ...(isNothing ? { message: uploadTexts.noneRecognized } : {}),
    });
    for (const { slot, file } of matched) await start(slot, file);
  }

  async function takeFile(slot: UploadSlot, file: File | undefined): Promise<void> {
    if (!file) return setSelection({ ...NOTHING_SELECTED, message: uploadTexts.noFile });
    const reason = await slotRefusal(slots, slot, file);
    if (reason) refuse(slot, reason);
    else await start(slot, file);
  }

  const states = new Map(
    slots.map((slot) => [
      slot.id,
      slotState(all.get(uploadKey(projectId, slot.id)), server.bySlot[slot.id]),
    ]),
  );
  const filled = new Set(slots.map(({ id }) => id).filter((id) => isFilled(states.get(id)!)));
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
            Project <span className="font-medium text-ink">{project.name}</span>
          </>
        )}
      </p>
      <DropZone onFiles={(picked) => void takeFiles(picked)} />
      <StatusMessage className="empty:absolute" text={selection.message} failed />
      {server.error && (
        <StatusMessage
          text={`Error: ${errorText(server.error, "The state of earlier uploads could not be loaded.")}`}
        />
      )}
      {projects.isLoadingError && !selection.message && (
        <StatusMessage text={uploadTexts.projectUnread} />
      )}
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
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {UPLOAD_GROUPS.filter(
          (group) => group !== "more_files" && slots.some((slot) => slot.group === group),
        ).map((group) => (
          <Card key={group} title={uploadTexts.groups[group]} flush>
            <ul className="border-t border-line">
              {slots
                .filter((slot) => slot.group === group)
                .map((slot) => {
                  const state = states.get(slot.id)!;
                  const upload = state.kind === "upload" ? state.upload : undefined;
                  const small = upload && isSmallImage(slot, { size: upload.totalBytes });
                  return (
                    <SlotRow
                      key={slot.id}
                      slot={slot}
                      state={state}
                      blocks={missing.some(({ id }) => id === slot.id)}
                      refusal={refusals[slot.id]}
                      warning={
                        small
                          ? uploadTexts.smallImage(byteText(upload.totalBytes))
                          : upload?.warning
                      }
                      onChoose={(file) => void takeFile(slot, file)}
                      onRetry={() => uploads.retry(uploadKey(projectId, slot.id))}
                      onRemove={(fileName) => remove(slot, fileName)}
                      onCancel={() => uploads.cancel(uploadKey(projectId, slot.id))}
                    />
                  );
                })}
            </ul>
          </Card>
        ))}
      </div>
      <PiecesNotice projectId={projectId} isComplete={isComplete} version={own.version} />
      <MoreFiles projectId={projectId} own={own} />
      <RegistrationSection projectId={projectId} isComplete={isComplete} version={own.version} />
      {fault && (
        <Notice tone="bad" title={uploadTexts.unusableTitle}>
          <p className="[overflow-wrap:anywhere]">{fault}</p>
        </Notice>
      )}
      <footer className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
        <ButtonLink to={analysisPath(1)}>{uploadTexts.back}</ButtonLink>
        <p role="status" className="min-w-0 flex-1 basis-64 text-right text-ink-2 max-sm:text-left">
          {running > 0
            ? `${uploadTexts.stillUploading(running)} ${uploadTexts.keepOpen}`
            : missing.length > 0
              ? uploadTexts.stillMissing(missing.map(({ label }) => label))
              : isChecking
                ? uploadTexts.checking
                : fault
                  ? uploadTexts.unusable
                  : uploadTexts.allThere}
        </p>
        <ButtonLink
          to={analysisPath(3, projectId)}
          state={{ projectId }}
          variant="primary"
          className="flex-row-reverse max-sm:w-full"
          icon={<ArrowRight aria-hidden className="size-4" />}
        >
          {uploadTexts.next}
        </ButtonLink>
      </footer>
    </div>
  );
}
