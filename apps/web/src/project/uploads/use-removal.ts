import { removeUpload } from "@stipple/contract/routes/uploads";
import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { useQueryClient } from "@tanstack/react-query";
import { api, errorText } from "../../app/api.ts";
import { toast } from "../../components/toast-store.ts";
import { uploadTexts } from "./texts.ts";
import { address } from "./http-transport.ts";
import { uploadKey } from "./upload.ts";
import { uploads } from "./uploads.ts";

/** Removes a project's file from its slot and reports the outcome. */
export function useRemoval(projectId: string): (slot: UploadSlot, fileName: string) => void {
  const client = useQueryClient();
  async function remove(slot: UploadSlot, fileName: string): Promise<void> {
    try {
      await api(removeUpload, address(projectId, slot));
      await client.invalidateQueries({ queryKey: ["uploaded-chunks", projectId, slot.id] });
      uploads.cancel(uploadKey(projectId, slot.id));
      await client.invalidateQueries({ queryKey: ["files-check", projectId] });
      toast(uploadTexts.removed(fileName), { ok: true });
    } catch (error) {
      const reason = errorText(error, uploadTexts.noAnswer);
      toast(uploadTexts.removeFailed(fileName, reason), { failed: true });
    }
  }
  return (slot, fileName) => void remove(slot, fileName);
}
