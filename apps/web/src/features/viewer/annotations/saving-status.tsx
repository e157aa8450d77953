import { Button } from "../../../components/button.tsx";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { discardRefused, keepMine, takeTheirs } from "./sync.ts";
import { annotationTexts as texts } from "./texts.ts";
import { useAnnotations } from "./use-annotations.ts";

/** What the person must decide before anything else is saved, whichever panel it was changed in. */
export function SavingBar() {
  const isShown = useViewerState(({ panel }) => panel === "annotations");
  return isShown ? null : (
    <div className="border-b border-line bg-card px-4 py-1.5">
      <SavingStatus />
    </div>
  );
}

/** Whether everything is saved; if not, why, and what the person can decide. */
export function SavingStatus() {
  const { annotations } = useViewer();
  const saving = useAnnotations((state) => state.saving);
  const problem = useAnnotations((state) => state.problem);
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const calm = saving === "saving" ? texts.saving : mayEdit ? texts.saved : "";
  return (
    <div className="flex flex-wrap items-center gap-2 empty:hidden">
      <p
        role="status"
        className={`text-[0.8125rem] empty:hidden ${problem ? "text-bad" : "text-ink-3"}`}
      >
        {problem ?? calm}
      </p>
      {saving === "conflict" && (
        <div className="flex gap-1.5">
          <Button size="sm" onClick={() => keepMine(annotations)}>
            {texts.keepMine}
          </Button>
          <Button size="sm" onClick={() => takeTheirs(annotations)}>
            {texts.takeTheirs}
          </Button>
        </div>
      )}
      {saving === "refused" && (
        <Button size="sm" onClick={() => discardRefused(annotations)}>
          {texts.discard}
        </Button>
      )}
    </div>
  );
}
