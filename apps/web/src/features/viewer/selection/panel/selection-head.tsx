import { Undo2 } from "lucide-react";
import { Button } from "../../../../components/button.tsx";
import { Segmented } from "../../../../components/segmented.tsx";
import { selectionTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { invertSelection, setSelection, shownCells, undoSelection } from "../selection-actions.ts";

const texts = selectionTexts.panel;

/** The number of selected cells, and selection actions that do not involve drawing. */
export function SelectionHead({ rgba }: { rgba: Uint8Array }) {
  const { store, manifest } = useViewer();
  const selection = useViewerState((state) => state.selection);
  const combine = useViewerState((state) => state.combine);
  const canUndo = useViewerState((state) => state.earlierSelections.length > 0);
  return (
    <div className="flex flex-col gap-3">
      {selection ? (
        <p>
          <b className="text-base">{texts.ofAll(selection.count, manifest.nCells)}</b>
          <span className="block text-[0.8125rem] text-ink-3">
            {texts.share(selection.count / manifest.nCells)}
          </span>
        </p>
      ) : (
        <p className="text-[0.8125rem] text-ink-2">{texts.empty}</p>
      )}
      <div className="flex flex-wrap gap-1.5">
        <Button
          size="sm"
          title={texts.allHint}
          onClick={() => setSelection(store, shownCells(rgba, store.getState()))}
        >
          {texts.all}
        </Button>
        <Button
          size="sm"
          title={texts.invertHint}
          onClick={() => invertSelection(store, shownCells(rgba, store.getState()))}
        >
          {texts.invert}
        </Button>
        <Button size="sm" disabled={!selection} onClick={() => setSelection(store, null)}>
          {texts.clear}
        </Button>
        <Button
          size="sm"
          title={texts.undoHint}
          disabled={!canUndo}
          icon={Undo2}
          onClick={() => undoSelection(store)}
        >
          {texts.undo}
        </Button>
      </div>
      <Segmented
        label={selectionTexts.combine}
        choices={(["replace", "add", "subtract"] as const).map((value) => ({
          value,
          label: selectionTexts.combineShort[value],
        }))}
        value={combine}
        onChange={(next) => store.setState({ combine: next })}
      />
    </div>
  );
}
