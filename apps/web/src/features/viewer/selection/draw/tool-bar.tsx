import {
  Hand,
  Lasso,
  Replace,
  SquareDashedMousePointer,
  SquareMinus,
  SquarePlus,
  X,
  type LucideIcon,
} from "lucide-react";
import { useRef, type ReactNode, type Ref } from "react";
import { joinClasses } from "../../../../components/join-classes.ts";
import { selectionTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import type { Combine } from "../../state/viewer-store.ts";
import { setSelection } from "../selection-actions.ts";

const TOOLS: readonly { tool: "pan" | "lasso" | "rectangle"; icon: LucideIcon }[] = [
  { tool: "pan", icon: Hand },
  { tool: "lasso", icon: Lasso },
  { tool: "rectangle", icon: SquareDashedMousePointer },
];
const COMBINES: readonly { combine: Combine; icon: LucideIcon }[] = [
  { combine: "replace", icon: Replace },
  { combine: "add", icon: SquarePlus },
  { combine: "subtract", icon: SquareMinus },
];

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
      <ToolGroup ref={tools} label={selectionTexts.tools}>
        {TOOLS.map((one) => (
          <ToolButton
            key={one.tool}
            icon={one.icon}
            label={selectionTexts.toolNames[one.tool]}
            shortcut={selectionTexts.toolKeys[one.tool]}
            pressed={tool === one.tool}
            onClick={() => store.setState({ tool: one.tool })}
          />
        ))}
      </ToolGroup>
      {(tool === "lasso" || tool === "rectangle") && (
        <ToolGroup label={selectionTexts.combine}>
          {COMBINES.map((one) => (
            <ToolButton
              key={one.combine}
              icon={one.icon}
              label={selectionTexts.combineNames[one.combine]}
              shortcut={selectionTexts.combineKeys[one.combine]}
              pressed={combine === one.combine}
              onClick={() => store.setState({ combine: one.combine })}
            />
          ))}
        </ToolGroup>
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

function ToolGroup({
  ref,
  label,
  children,
}: {
  ref?: Ref<HTMLDivElement>;
  label: string;
  children: ReactNode;
}) {
  return (
    <div
      ref={ref}
      role="group"
      aria-label={label}
      className="pointer-events-auto flex overflow-hidden rounded-control border border-line bg-card shadow-sm"
    >
      {children}
    </div>
  );
}

function ToolButton({
  icon: Icon,
  label,
  shortcut,
  pressed,
  onClick,
}: {
  icon: LucideIcon;
  label: string;
  shortcut: string;
  pressed: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut || undefined}
      title={shortcut ? `${label} (${shortcut})` : label}
      onClick={onClick}
      className={joinClasses(
        "grid size-9 place-items-center border-r border-line outline-offset-[-3px] last:border-0",
        pressed ? "bg-primary-tint text-primary" : "text-ink-2 hover:bg-raised hover:text-ink",
      )}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
