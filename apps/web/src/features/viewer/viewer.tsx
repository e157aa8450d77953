import { SlidersHorizontal, X, ArrowLeft } from "lucide-react";
import { useState } from "react";
import { lazyPart } from "../../app/load-code.ts";
import { Logo } from "../../app/logo.tsx";
import { joinClasses } from "../../components/join-classes.ts";
import { LazyBoundary } from "../../components/lazy-boundary.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { viewerTexts } from "./texts.ts";
import { VerdictBar, VerdictPill } from "../../project/verdict/verdict-bar.tsx";
import { useColoring, type CellColoring } from "./coloring/use-coloring.ts";
import { NO_CELLS } from "@stipple/viewer/source";
import { ColorSection } from "./facets/color-section.tsx";
import { DisplaySection } from "./facets/display-section.tsx";
import { GroupList } from "./facets/group-list.tsx";
import { PanelRail } from "./panels/panel-rail.tsx";
import { SelectionAnnouncer } from "./selection/selection-announcer.tsx";
import { Stages } from "./stage/stages.tsx";
import { GROUPINGS } from "@stipple/viewer/choices";
import { groupsOf } from "./state/shown-groups.ts";
import { useUrlState } from "./state/url-state.ts";
import { useViewer, useViewerState } from "./state/viewer-context.tsx";
import { useAnnotations, useKeeping } from "./annotations/use-annotations.ts";
import { useUndoKeys, useToolKeys } from "./shortcuts/use-shortcut.ts";
import { SkipLink } from "../../components/skip-link.tsx";
import { shortcutTexts } from "./shortcuts/texts.ts";
import { Link } from "wouter";
import { analysisPath } from "../../app/use-project-id.ts";
import { useOwnership } from "./sharing/use-ownership.ts";

const SavingBar = lazyPart(() => import("./annotations/saving-status.tsx"), "SavingBar");

/**
 * Options on the left, the views in the middle, tools in a panel on the right. On narrow screens the options open on
 * request, and on phones everything is below the views.
 */
export function Viewer() {
  const { cells, projectName, store } = useViewer();
  const arrangement = useViewerState((state) => state.arrangement);
  const showsCells = useViewerState((state) => state.layers.cells);
  const coloring = useColoring();
  const stageId = arrangement === "umap" ? "stage-umap" : "stage-tissue";
  const hasTool = useViewerState((state) => state.panel !== null);
  const [panelOpen, setPanelOpen] = useState(false);
  // On a narrow screen, the options and a tool together would leave no room for the view.
  const showsOptions = panelOpen && !hasTool;
  useUrlState(store);
  useKeeping();
  useUndoKeys();
  useToolKeys();

  return (
    <main className="relative grid h-dvh overflow-clip grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:grid-rows-[auto_minmax(0,1fr)] wide:grid-cols-[19rem_minmax(0,1fr)_auto]">
      <SkipLink to={stageId}>{shortcutTexts.skip}</SkipLink>
      <h1 className="sr-only">{projectName}: interactive view</h1>
      <header className="flex items-center gap-3 border-b border-line bg-card px-4 py-2 sm:col-span-3 wide:col-span-1 wide:block wide:border-r wide:py-3">
        <div className="hidden wide:mb-3 wide:block">
          <Logo />
        </div>
        <BackToResults />
        <ViewerTitle drawn={showsCells ? coloring.drawn : 0} />
        <button
          type="button"
          aria-expanded={showsOptions}
          aria-controls="viewer-panel"
          aria-label={viewerTexts.panel}
          onClick={() => {
            setPanelOpen(!showsOptions);
            store.setState({ panel: null });
          }}
          className="ml-auto grid size-10 shrink-0 place-items-center rounded-control border border-line hover:bg-raised wide:hidden"
        >
          <SlidersHorizontal aria-hidden className="size-4" />
        </button>
      </header>
      <aside
        id="viewer-panel"
        aria-label={viewerTexts.panel}
        inert={cells === NO_CELLS}
        className={joinClasses(
          "flex min-h-0 flex-col border-line bg-card max-sm:order-last max-sm:max-h-[50dvh] max-sm:border-t",
          "sm:col-start-1 sm:row-start-2 sm:w-[19rem] sm:border-r",
          !showsOptions && "max-wide:hidden",
        )}
      >
        <button
          type="button"
          aria-label={viewerTexts.closePanel}
          onClick={() => setPanelOpen(false)}
          className="mr-2 ml-auto grid size-10 shrink-0 place-items-center text-ink-3 wide:hidden"
        >
          <X aria-hidden className="size-4" />
        </button>
        <Options coloring={coloring} />
      </aside>
      <div className="flex min-h-0 min-w-0 flex-col sm:col-start-2 sm:row-start-2 wide:row-span-2 wide:row-start-1">
        <Trust stageId={stageId} />
        <Stuck />
        <Stages coloring={coloring} />
      </div>
      <div className="contents" inert={cells === NO_CELLS}>
        <PanelRail coloring={coloring} />
      </div>
      <SelectionAnnouncer />
    </main>
  );
}

/** How far to trust the results, until it is hidden. */
function Trust({ stageId }: { stageId: string }) {
  const { verdict } = useViewer();
  const [isShown, setShown] = useState(true);

  function hide(): void {
    setShown(false);
    // The pressed button no longer exists.
    document.getElementById(stageId)?.focus();
  }
  return verdict && isShown && <VerdictBar verdict={verdict} onHide={hide} />;
}

/** Says that nothing is saved before the person has decided something. */
function Stuck() {
  const isStuck = useAnnotations(({ saving }) => saving === "conflict" || saving === "refused");
  return (
    isStuck && (
      <LazyBoundary>
        <SavingBar />
      </LazyBoundary>
    )
  );
}

/** What is shown, and in which colors. */
function Options({ coloring }: { coloring: CellColoring }) {
  const { manifest, store } = useViewer();
  const arrangement = useViewerState((state) => state.arrangement);
  return (
    <div className="flex min-h-0 flex-col gap-4 overflow-y-auto overscroll-contain px-4 pb-5 wide:pt-4">
      <Segmented
        label={viewerTexts.view}
        names={viewerTexts.views}
        value={arrangement}
        onChange={(next) => store.setState({ arrangement: next })}
      />
      <ColorSection coloring={coloring} />
      <div className="flex flex-col gap-1 border-t border-line pt-3">
        {GROUPINGS.filter((of) => groupsOf(manifest, of).length > 0).map((of) => (
          <GroupList key={of} of={of} />
        ))}
      </div>
      <div className="border-t border-line pt-4">
        <DisplaySection />
      </div>
    </div>
  );
}

/** The way back for the project's owner. Others cannot open the results. */
function BackToResults() {
  const { projectId } = useViewer();
  const { role } = useOwnership();
  if (role !== "owner") return null;
  return (
    <Link
      to={analysisPath(4, projectId)}
      className="inline-flex min-h-6 shrink-0 items-center gap-1.5 rounded text-[0.8125rem] font-medium text-primary hover:underline max-wide:size-10 max-wide:justify-center wide:mb-2"
    >
      <ArrowLeft aria-hidden className="size-4" />
      <span className="max-wide:sr-only">{viewerTexts.backToResults}</span>
    </Link>
  );
}

/** The project, its origin, how many cells are drawn, and how far to trust them. */
function ViewerTitle({ drawn }: { drawn: number }) {
  const { manifest, cells, projectName, origin, verdict } = useViewer();
  return (
    <div className="min-w-0">
      <p className="truncate text-base font-semibold" title={projectName}>
        {projectName}
      </p>
      <p className="text-xs text-ink-3 max-wide:truncate low:hidden" title={origin}>
        {origin}
      </p>
      <div className="mt-1 flex items-center justify-between gap-3">
        <p aria-live="polite" className="text-[0.8125rem] text-ink-2">
          {cells === NO_CELLS
            ? viewerTexts.loadingCells(manifest.nCells)
            : viewerTexts.cells(drawn, manifest.nCells)}
        </p>
        {verdict && <VerdictPill verdict={verdict} />}
      </div>
    </div>
  );
}
