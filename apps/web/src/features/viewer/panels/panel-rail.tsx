import { type LucideIcon, X } from "lucide-react";
import { Suspense, useRef, type ComponentType, type MouseEvent } from "react";
import { ErrorBoundary } from "../../../components/error-boundary.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { Skeleton } from "../../../components/skeleton.tsx";
import { viewerTexts } from "../texts.ts";
import type { CellColoring } from "../coloring/use-coloring.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { ShortcutsButton } from "../shortcuts/shortcuts-button.tsx";
import { PANELS } from "./panels.ts";

export interface PanelProps {
  coloring: CellColoring;
}

/** A tool on the right side. Its component is loaded when first opened. */
export interface Panel {
  /** Unique; also the value of `ViewerState.panel`. */
  id: keyof typeof viewerTexts.panels;
  icon: LucideIcon;
  /** Contains a table that needs more room, if the window has it. */
  isWide?: boolean;
  Component: ComponentType<PanelProps>;
}

/** A pressed button that no longer exists, as of a deleted row or of another tool, leaves the focus to the open tool. */
function keepFocus({ target, currentTarget: tool }: MouseEvent<HTMLElement>): void {
  requestAnimationFrame(() => {
    if (!(target as Node).isConnected && document.activeElement === document.body) tool.focus();
  });
}

/** The strip of tools, and the open one next to it. */
export function PanelRail({ coloring }: PanelProps) {
  const { store } = useViewer();
  const open = useViewerState((state) => state.panel);
  const rail = useRef<HTMLElement>(null);
  const panel = PANELS.find(({ id }) => id === open);
  return (
    <div className="flex min-h-0 min-w-0 border-line bg-card max-sm:flex-col-reverse max-sm:border-t sm:col-start-3 sm:row-start-2 sm:border-l wide:row-span-2 wide:row-start-1">
      {panel && (
        <section
          id="viewer-tool"
          tabIndex={-1}
          onClick={keepFocus}
          aria-label={viewerTexts.panels[panel.id]}
          className={joinClasses(
            "flex min-h-0 flex-col max-sm:max-h-[40dvh] sm:w-72 sm:border-r sm:border-line md:w-[22rem]",
            panel.isWide && "xl:w-[34rem]",
          )}
        >
          <div className="flex items-center justify-between border-b border-line py-1.5 pr-2 pl-4">
            <h2 className="text-sm font-semibold">{viewerTexts.panels[panel.id]}</h2>
            <IconButton
              icon={X}
              label={viewerTexts.closeTool(viewerTexts.panels[panel.id])}
              onClick={() => {
                store.setState({ panel: null });
                // This button no longer exists.
                rail.current?.querySelector<HTMLElement>(`[data-tool="${panel.id}"]`)?.focus();
              }}
            />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-4 *:min-h-0">
            {/* A tool that does not load takes nothing else with it. */}
            <ErrorBoundary at={panel.id}>
              <Suspense fallback={<Skeleton className="h-40" />}>
                <panel.Component coloring={coloring} />
              </Suspense>
            </ErrorBoundary>
          </div>
        </section>
      )}
      <nav
        ref={rail}
        aria-label={viewerTexts.tools}
        className="flex gap-1 p-1.5 max-sm:overflow-x-auto sm:flex-col sm:overflow-y-auto sm:[scrollbar-width:none]"
      >
        {PANELS.map(({ id, icon: Icon }) => (
          <button
            key={id}
            type="button"
            data-tool={id}
            aria-expanded={id === open}
            aria-controls="viewer-tool"
            onClick={() => store.setState({ panel: id === open ? null : id })}
            className={joinClasses(
              "flex min-h-12 w-16 shrink-0 flex-col items-center justify-center gap-1 rounded-control px-1 text-[0.6875rem] leading-3 font-medium",
              id === open
                ? "bg-primary-tint text-primary"
                : "text-ink-2 hover:bg-raised hover:text-ink",
            )}
          >
            <Icon aria-hidden className="size-4.5" />
            {viewerTexts.panels[id]}
          </button>
        ))}
        <span className="sm:mx-auto sm:mt-auto">
          <ShortcutsButton />
        </span>
      </nav>
    </div>
  );
}
