import { useRegions } from "@stipple/contract/routes/workflow";
import { useState } from "react";
import { api, errorText } from "../../../../app/api.ts";
import { Button } from "../../../../components/button.tsx";
import { useToast } from "../../../../components/toast-store.ts";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import { regionTexts } from "../texts.ts";

const texts = regionTexts.nextRun;

/** Makes the regions those of the project's next run, which compares them, and leaves the excluded ones out. */
export function UseRegionsButton() {
  const { projectId } = useViewer();
  const toast = useToast();
  const isSaved = useAnnotations((state) => state.saving === "saved" && state.pending.length === 0);
  const [busy, setBusy] = useState(false);

  async function use(): Promise<void> {
    setBusy(true);
    try {
      const { message } = await api(useRegions, { params: { id: projectId } });
      toast(`${message} ${texts.then}`, { ok: true });
    } catch (error) {
      toast(errorText(error, texts.failed), { failed: true });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button size="sm" busy={busy} disabled={!isSaved} onClick={() => void use()}>
      {texts.use}
    </Button>
  );
}
