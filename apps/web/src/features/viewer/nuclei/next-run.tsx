import { nucleusEdits, useNucleusEdits } from "@stipple/contract/routes/workflow";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, errorText } from "../../../app/api.ts";
import { changePath } from "../../../app/change-path.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { useToast } from "../../../components/toast-store.ts";
import { PlanLines } from "../../../project/change/plan-lines.tsx";
import { useRunPlan } from "../../../project/change/use-run-plan.ts";
import { useAnnotations } from "../annotations/use-annotations.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { nucleusTexts as texts } from "./texts.ts";

/** Makes the edited nuclei those of the project's next run, and says which steps that runs again. */
export function NextRun({ hasEdits }: { hasEdits: boolean }) {
  const { projectId } = useViewer();
  const toast = useToast();
  const isSaved = useAnnotations((state) => state.saving === "saved" && state.pending.length === 0);
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState<string>();
  const standing = useQuery({
    queryKey: ["nucleus-edits", projectId],
    queryFn: ({ signal }) => api(nucleusEdits, { params: { id: projectId }, signal }),
    refetchOnWindowFocus: false,
    retry: false,
  });
  const { fault = null, in_use: inUse = null } = standing.data ?? {};
  const planned = useRunPlan(
    projectId,
    {},
    { enabled: inUse !== null, version: message ?? inUse ?? "" },
  );

  async function use(): Promise<void> {
    setBusy(true);
    try {
      const used = await api(useNucleusEdits, { params: { id: projectId } });
      setMessage(used.message);
      await standing.refetch();
    } catch (error) {
      toast(errorText(error, texts.useFailed), { failed: true });
    } finally {
      setBusy(false);
    }
  }

  if (fault !== null) return <p className="text-warn">{fault}</p>;
  return (
    <section
      aria-label={texts.use}
      className="flex flex-col items-start gap-2 border-t border-line pt-4"
    >
      <Button size="sm" busy={busy} disabled={!hasEdits || !isSaved} onClick={() => void use()}>
        {texts.use}
      </Button>
      <p role="status">{message}</p>
      {inUse !== null && (
        <>
          <p className="text-[0.8125rem] text-ink-2">{inUse}</p>
          {(planned.error || (planned.plan?.steps.length ?? 0) > 0) && (
            <>
              <PlanLines planned={planned} />
              <ButtonLink size="sm" to={changePath(projectId)}>
                {texts.rerun}
              </ButtonLink>
            </>
          )}
        </>
      )}
    </section>
  );
}
