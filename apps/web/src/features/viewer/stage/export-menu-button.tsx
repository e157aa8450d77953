import { Download } from "lucide-react";
import { lazy, useState } from "react";
import { loadCode } from "../../../app/load-code.ts";
import { LazyBoundary } from "../../../components/lazy-boundary.tsx";
import { sharingTexts } from "../sharing/texts.ts";
import { stageTexts } from "./texts.ts";
import type { FigureWords } from "../export/export-view.ts";
import type { ViewName } from "@stipple/viewer/choices";
import { useViewer } from "../state/viewer-context.tsx";
import type { Scene, SceneContent } from "@stipple/viewer";

/** Text shown next to the picture in an exported file, except for view-specific parts. */
export type ExportedView = Pick<FigureWords, "title" | "subtitle" | "legend">;

export interface ExportMenuProps {
  view: ViewName;
  scene: Scene | null;
  content: SceneContent;
  exported: ExportedView;
}

const load = async () => ({
  default: (await loadCode(() => import("./export-menu.tsx"))).ExportMenu,
});
const ExportMenu = lazy(load);

export const EXPORT_BUTTON =
  "grid size-9 place-items-center rounded-control border border-line bg-card text-ink-2 shadow-sm hover:bg-raised hover:text-ink data-popup-open:bg-raised";

/** Content of the export menu's button. */
export function ExportFace() {
  return <Download aria-hidden className="size-4" />;
}

/** Takes the menu's place while results may be seen but not taken away. */
function SubscribeFace() {
  return (
    <a
      href="/pricing"
      target="_blank"
      rel="noreferrer"
      aria-label={sharingTexts.subscribe}
      title={sharingTexts.subscribe}
      className={EXPORT_BUTTON}
    >
      <ExportFace />
    </a>
  );
}

/** Placeholder for the export menu until first opened: menus make up a tenth of the view's script. */
export function ExportMenuButton(props: ExportMenuProps) {
  const { mayExport, readOnly } = useViewer();
  const [wanted, setWanted] = useState(false);
  // Guests of a trial account cannot subscribe for its owner.
  if (!mayExport) return readOnly ? null : <SubscribeFace />;
  const label = stageTexts.exportView(stageTexts.viewNames[props.view]);
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={wanted}
      aria-label={label}
      title={label}
      className={EXPORT_BUTTON}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      <ExportFace />
    </button>
  );
  if (!wanted) return button;
  return (
    <LazyBoundary waiting={button}>
      <ExportMenu {...props} />
    </LazyBoundary>
  );
}
