import { OWN_FILES, type OwnFile } from "@stipple/contract/platforms/own-files";
import { useState } from "react";
import { refusals as refusalTexts } from "../uploads/texts.ts";
import { prepared, slotRefusal } from "../uploads/slot-files.ts";
import { SlotRow } from "../uploads/slot-row.tsx";
import { uploadKey } from "../uploads/upload.ts";
import { uploads } from "../uploads/uploads.ts";
import { useRemoval } from "../uploads/use-removal.ts";
import { ownFileTexts as TEXTS } from "./texts.ts";
import type { OwnFiles } from "./use-own-files.ts";

/** Choosing, replacing, and removing the files that a user adds to a sample, each with what the server found in it. */
export function OwnFileRows({ projectId, own }: { projectId: string; own: OwnFiles }) {
  const remove = useRemoval(projectId);
  const [refusals, setRefusals] = useState<Partial<Record<OwnFile, string>>>({});

  async function choose(slot: (typeof OWN_FILES)[number], file: File | undefined): Promise<void> {
    if (!file) return;
    const refusal = await slotRefusal(OWN_FILES, slot, file);
    const ready = refusal ? undefined : await prepared(slot, file).catch(() => undefined);
    if (ready) void uploads.add(projectId, slot, ready);
    setRefusals((before) => ({
      ...before,
      [slot.id]: ready ? undefined : (refusal ?? refusalTexts.damaged(file.name)),
    }));
  }

  return (
    <ul>
      {OWN_FILES.map((slot) => {
        const finding = own.findings[slot.id];
        const key = uploadKey(projectId, slot.id);
        return (
          <SlotRow
            key={slot.id}
            slot={slot}
            state={own.states.get(slot.id)!}
            blocks={false}
            expected={TEXTS.expected[slot.id]}
            refusal={refusals[slot.id] ?? (finding?.is_fault ? finding.sentence : undefined)}
            note={own.filled.has(slot.id) ? noteOf(own, slot.id) : undefined}
            onChoose={(file) => void choose(slot, file)}
            onRetry={() => uploads.retry(key)}
            onCancel={() => uploads.cancel(key)}
            onRemove={(fileName) => remove(slot, fileName)}
          />
        );
      })}
    </ul>
  );
}

function noteOf({ findings, isLooking }: OwnFiles, id: OwnFile): string | undefined {
  const finding = findings[id];
  if (finding) return finding.is_fault ? undefined : finding.sentence;
  return isLooking ? TEXTS.looking : TEXTS.waits;
}
