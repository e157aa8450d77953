import {
  Hand,
  Lasso,
  Replace,
  SquareDashedMousePointer,
  SquareMinus,
  SquarePlus,
  X,
} from "lucide-react";
import { useRef } from "react";
import { ToolButtons } from "../../../../components/tool-buttons.tsx";
import { selectionTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { setSelection } from "../selection-actions.ts";

const TOOLS = [
  ["pan", Hand],
  ["lasso", Lasso],
  ["rectangle", SquareDashedMousePointer],
] as const;
const COMBINES = [
  ["replace", Replace],
  ["add", SquarePlus],
  ["subtract", SquareMinus],
] as const;
const LOOK = {
  className:
    "pointer-events-auto flex overflow-hidden rounded-control border border-line bg-card shadow-sm",
  buttonClass: "grid size-9 place-items-center border-r outline-offset-[-3px] last:border-0",
};

/**
 * Pan, lasso, or rectangle; with either of the latter, how a region combines with the selection; and the selection's
 * size.
 */
export function ToolBar() {
  const { store } = useViewer();
  const tool = useViewerState((state) => state.tool);
  const combine = useViewerState((state) => state.combine);
  const selection = useViewerState((state) => state.selection);
  const tools = useRef<HTMLDivElement>(null);
  const clear = () => {
    setSelection(store, null);
    // The button disappears with the selection; keep keyboard focus in the view.
    tools.current?.querySelector<HTMLButtonElement>("[aria-pressed=true]")?.focus();
  };
  return (
    <div className="pointer-events-none absolute top-3 left-3 z-[6] flex max-w-[calc(100%-5rem)] flex-wrap items-start gap-2">
      <ToolButtons
        {...LOOK}
        ref={tools}
        label={selectionTexts.tools}
        tools={TOOLS}
        pressed={tool}
        names={selectionTexts.toolNames}
        keys={selectionTexts.toolKeys}
        onPress={(next) => store.setState({ tool: next })}
      />
      {(tool === "lasso" || tool === "rectangle") && (
        <ToolButtons
          {...LOOK}
          label={selectionTexts.combine}
          tools={COMBINES}
          pressed={combine}
          names={selectionTexts.combineNames}
          keys={selectionTexts.combineKeys}
          onPress={(next) => store.setState({ combine: next })}
        />
      )}
      {selection && (
        <div className="pointer-events-auto flex h-9 items-center rounded-control border border-line bg-card pl-3 text-[0.8125rem] shadow-sm">
          <button
            type="button"
            onClick={() => store.setState({ panel: "selection" })}
            className="font-medium hover:underline"
          >
            {selectionTexts.selected(selection.count)}
          </button>
          <button
            type="button"
            aria-label={selectionTexts.clear}
            title={selectionTexts.clear}
            onClick={clear}
            className="ml-1 grid size-8.5 place-items-center text-ink-3 outline-offset-[-3px] hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
      )}
    </div>
  );
}
