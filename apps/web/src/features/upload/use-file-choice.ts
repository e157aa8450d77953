import { DEFAULT_PLATFORM } from "@stipple/contract/platforms/index";
import type { Project } from "@stipple/contract";
import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { useState } from "react";
import { assignFiles, type Assignment } from "../../project/uploads/assign-files.ts";
import type { Picked } from "../../project/uploads/dropped-files.ts";
import { prepared, slotRefusal } from "../../project/uploads/slot-files.ts";
import { refusals as refusalTexts, uploadTexts } from "../../project/uploads/texts.ts";
import { uploads } from "../../project/uploads/uploads.ts";

/** What became of the files dropped or chosen last, apart from those that are uploaded. */
export type Selection = Omit<Assignment, "matched"> & { message?: string };

const NOTHING_SELECTED: Selection = { refused: [], skipped: [], skippedCount: 0 };

/** Takes files for the slots of a project, and says of the others why not. */
export function useFileChoice(
  projectId: string,
  slots: readonly UploadSlot[],
  readProject: () => Promise<Project | "unread" | undefined>,
) {
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED);
  /** Why the last file chosen for a slot was not taken, by slot. */
  const [refusals, setRefusals] = useState<Record<string, string>>({});

  const say = (message: string): void => setSelection({ ...NOTHING_SELECTED, message });

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
    if (files.length === 0 && unreadable.length === 0) return say(uploadTexts.noFile);
    // Without the project's resolution, the wrong bins of an HD sample might be taken.
    const project = await readProject();
    if (project === "unread") return say(uploadTexts.projectUnread);
    const options = project?.analysis_options;
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
    if (!file) return say(uploadTexts.noFile);
    const reason = await slotRefusal(slots, slot, file);
    if (reason) refuse(slot, reason);
    else await start(slot, file);
  }

  return { selection, refusals, takeFiles, takeFile };
}
