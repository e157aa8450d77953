import { MousePointerClick, Pentagon, Slice } from "lucide-react";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { HelpLink } from "../../../components/help-link.tsx";
import { ToolButtons } from "../../../components/tool-buttons.tsx";
import { toast } from "../../../components/toast-store.ts";
import { changeAnnotations } from "../annotations/annotation-store.ts";
import { UndoButtons } from "../annotations/undo-buttons.tsx";
import { useAnnotations } from "../annotations/use-annotations.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { countEdits, stillThere } from "./change-nuclei.ts";
import { deleteChosen, mergeChosen, setNucleusWork } from "./edit-nuclei.ts";
import { nucleusTexts as texts } from "./texts.ts";
import { useEdits } from "./use-edits.ts";
import { nucleusEdits, useNucleusEdits } from "@stipple/contract/routes/workflow";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, errorText } from "../../../app/api.ts";
import { changePath } from "../../../app/change-path.ts";
import { PlanLines } from "../../../project/change/plan-lines.tsx";
import { useRunPlan } from "../../../project/change/use-run-plan.ts";

const TOOLS = [
  ["chooseNuclei", MousePointerClick],
  ["splitNuclei", Slice],
  ["addNucleus", Pentagon],
] as const;

/** Merges, splits, deletes, and adds nuclei, for the next run. */
export function NucleiPanel() {
  const { manifest } = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const isPossible = "nuclei.offsets" in manifest.columns;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-[0.8125rem] text-ink-2">
        {!isPossible ? texts.none : mayEdit ? texts.intro : texts.readOnly}{" "}
        <HelpLink page="nuclei" />
      </p>
      {isPossible && mayEdit && <Editing />}
    </div>
  );
}

function Editing() {
  const { edits, earlier } = useEdits();
  const { annotations } = useViewer();
  const remove = (ids: Iterable<string>) =>
    changeAnnotations(
      annotations,
      [...ids].map((id) => ({ id, kind: "outlines", value: null })),
    );
  return (
    <>
      <p className="text-[0.8125rem] text-ink-2 sm:hidden">{texts.small}</p>
      <Tools />
      <Chosen />
      <div className="flex flex-wrap items-center gap-1.5">
        <UndoButtons />
        {edits.size > 0 && (
          <Button size="sm" onClick={() => remove(edits.keys())}>
            {texts.discard}
          </Button>
        )}
      </div>
      <p role="status">{edits.size > 0 ? texts.edits(countEdits(edits)) : texts.noEdits}</p>
      {earlier.length > 0 && (
        <p className="text-[0.8125rem] text-warn">
          {texts.earlier(earlier.length)}{" "}
          <Button size="sm" variant="ghost" onClick={() => remove(earlier)}>
            {texts.forget}
          </Button>
        </p>
      )}
      <NextRun hasEdits={edits.size > 0} />
    </>
  );
}

/** What edits nuclei. Touch screens look only. */
function Tools() {
  const { store } = useViewer();
  const used = useViewerState((state) => state.tool);
  const [hint] = TOOLS.find(([tool]) => tool === used) ?? [];
  return (
    <section aria-label={texts.tools} className="flex flex-col gap-2 max-sm:hidden">
      <ToolButtons
        className="grid grid-cols-3 gap-1.5"
        buttonClass="flex h-9 items-center justify-center gap-1.5 rounded-control border text-sm aria-pressed:border-primary"
        label={texts.tools}
        tools={TOOLS}
        pressed={used}
        names={texts.toolNames}
        onPress={(tool) => store.setState({ tool: tool === used ? "pan" : tool })}
      />
      {hint && <p className="text-[0.8125rem] text-ink-2">{texts.toolHints[hint]}</p>}
    </section>
  );
}

/** What can be done with the chosen nuclei. */
function Chosen() {
  const viewer = useViewer();
  const { edits } = useEdits();
  const chosen = stillThere(
    useViewerState((state) => state.nucleusWork.chosen),
    edits,
  );
  if (chosen.length === 0) return null;
  const merge = () => {
    const problem = mergeChosen(viewer);
    if (problem) toast(problem, { failed: true });
  };
  return (
    <section aria-label={texts.chosen(chosen.length)} className="flex flex-col gap-2">
      <p role="status" className="font-medium">
        {texts.chosen(chosen.length)}
      </p>
      <div className="flex flex-wrap gap-1.5">
        <Button size="sm" onClick={() => deleteChosen(viewer)}>
          {texts.delete}
        </Button>
        <Button size="sm" disabled={chosen.length < 2} onClick={merge}>
          {texts.merge}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => setNucleusWork(viewer.store, { chosen: [] })}
        >
          {texts.clear}
        </Button>
      </div>
    </section>
  );
}

/** Makes the edited nuclei those of the project's next run, and says which steps that runs again. */
function NextRun({ hasEdits }: { hasEdits: boolean }) {
  const { projectId } = useViewer();
  const isSaved = useAnnotations((state) => state.saving === "saved" && state.pending.length === 0);
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

  const use = useMutation({
    mutationFn: async () => {
      const used = await api(useNucleusEdits, { params: { id: projectId } });
      setMessage(used.message);
      await standing.refetch();
    },
    onError: (error) => toast(errorText(error, texts.useFailed), { failed: true }),
  });

  if (fault !== null) return <p className="text-warn">{fault}</p>;
  return (
    <section
      aria-label={texts.use}
      className="flex flex-col items-start gap-2 border-t border-line pt-4"
    >
      <Button
        size="sm"
        busy={use.isPending}
        disabled={!hasEdits || !isSaved}
        onClick={() => use.mutate()}
      >
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
