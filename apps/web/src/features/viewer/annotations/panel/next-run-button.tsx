import { useAnnotations as useInNextRun } from "@stipple/contract/routes/workflow";
import { api, errorText } from "../../../../app/api.ts";
import { useMutation } from "@tanstack/react-query";
import { Button } from "../../../../components/button.tsx";
import { toast } from "../../../../components/toast-store.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import { annotationTexts } from "../texts.ts";
import { useAnnotations } from "../use-annotations.ts";

const texts = annotationTexts.nextRun;

/**
 * Makes the project's annotations those of its next run: it compares the regions, leaves out the excluded ones, and puts
 * the others into the report and the files.
 */
export function NextRunButton() {
  const { projectId } = useViewer();
  const isSaved = useAnnotations((state) => state.saving === "saved" && state.pending.length === 0);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api(useInNextRun, { params: { id: projectId } }),
    onSuccess: ({ message }) => toast(`${message} ${texts.then}`, { ok: true }),
    onError: (error) => toast(errorText(error, texts.failed), { failed: true }),
  });

  return (
    <Button size="sm" busy={isPending} disabled={!isSaved} onClick={() => mutate()}>
      {texts.use}
    </Button>
  );
}
