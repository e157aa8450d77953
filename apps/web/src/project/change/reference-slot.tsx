import { REFERENCE_SLOT } from "@stipple/contract/platforms/shared-slots";
import { takeReference, type ListedReference } from "@stipple/contract/routes/references";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { toast } from "../../components/toast-store.ts";
import { KeepReference } from "../references/keep-reference.tsx";
import { KeptReferenceChoice } from "../references/kept-reference-choice.tsx";
import { referenceTexts as KEPT } from "../references/texts.ts";
import { useReferences } from "../references/use-references.ts";
import { changeTexts as TEXTS } from "./texts.ts";
import { SlotRow } from "../uploads/slot-row.tsx";
import { slotRefusal } from "../uploads/slot-files.ts";
import { fileOf, isFilled, type SlotState, useSlotStates } from "../uploads/use-slot-states.ts";
import { uploadKey } from "../uploads/upload.ts";
import { uploads } from "../uploads/uploads.ts";
import { useRemoval } from "../uploads/use-removal.ts";

const SLOTS = [REFERENCE_SLOT] as const;

/** The project's reference: what its slot holds now, and a `version` that changes with the file. */
export function useReference(projectId: string) {
  const { states, filled, version } = useSlotStates(projectId, SLOTS);
  const { id } = REFERENCE_SLOT;
  return { state: states.get(id)!, filled: filled.has(id), version };
}

/** Choosing, replacing and removing the reference of a project. */
export function ReferenceSlot({ projectId, state }: { projectId: string; state: SlotState }) {
  const remove = useRemoval(projectId);
  const client = useQueryClient();
  const [refusal, setRefusal] = useState<string>();
  const taking = useMutation({
    async mutationFn({ id }: ListedReference) {
      await api(takeReference, { params: { id: projectId }, body: { reference_id: id } });
      uploads.cancel(uploadKey(projectId, REFERENCE_SLOT.id));
      const changed = ["uploaded-chunks", projectId, REFERENCE_SLOT.id];
      await client.invalidateQueries({ queryKey: changed });
    },
    onSuccess: (_, { name }) => toast(KEPT.used(name), { ok: true }),
    onError: (error) => toast(KEPT.useFailed(errorText(error, KEPT.noAnswer)), { failed: true }),
  });
  const fileName = fileOf(state)?.name ?? "";

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    const reason = await slotRefusal(SLOTS, REFERENCE_SLOT, file);
    setRefusal(reason);
    if (!reason) void uploads.add(projectId, REFERENCE_SLOT, file);
  }

  const kept = useReferences().find(({ name }) => `${name}.h5ad` === fileName);
  return (
    <div>
      <p className="font-medium">{TEXTS.reference}</p>
      <ul className="mt-1.5 rounded-control border border-line">
        <SlotRow
          projectId={projectId}
          slot={REFERENCE_SLOT}
          state={state}
          refusal={refusal}
          onChoose={(file) => void choose(file)}
        />
      </ul>
      {isFilled(state) && !kept && <KeepReference projectId={projectId} fileName={fileName} />}
      <div className="mt-3">
        <KeptReferenceChoice
          value={kept?.id ?? null}
          disabled={taking.isPending}
          onChange={(reference) =>
            reference ? taking.mutate(reference) : remove(REFERENCE_SLOT, fileName)
          }
        />
      </div>
    </div>
  );
}
