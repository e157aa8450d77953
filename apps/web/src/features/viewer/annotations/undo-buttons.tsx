import { Redo2, Undo2 } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { useViewer } from "../state/viewer-context.tsx";
import { redoAnnotations, undoAnnotations } from "./annotation-store.ts";
import { annotationTexts } from "./texts.ts";
import { useAnnotations } from "./use-annotations.ts";

/** Takes back the latest change of the project's annotations, or makes it again. */
export function UndoButtons() {
  const { annotations } = useViewer();
  const isBusy = useAnnotations((state) => state.pending.length > 0);
  const canUndo = useAnnotations((state) => state.canUndo) || isBusy;
  const canRedo = useAnnotations((state) => state.canRedo) && !isBusy;
  return (
    <>
      <Button
        size="sm"
        disabled={!canUndo}
        icon={Undo2}
        onClick={() => undoAnnotations(annotations)}
      >
        {annotationTexts.undo}
      </Button>
      <Button
        size="sm"
        disabled={!canRedo}
        icon={Redo2}
        onClick={() => redoAnnotations(annotations)}
      >
        {annotationTexts.redo}
      </Button>
    </>
  );
}
