import { Menu } from "@base-ui/react/menu";
import { toast } from "../../../components/toast-store.ts";
import { useAnnotations } from "../annotations/use-annotations.ts";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import { addPanel, viewDrawing } from "../composer/add-panel.ts";
import { composerTexts } from "../composer/texts.ts";
import { stageTexts } from "./texts.ts";
import { exportPng, exportSvg, type FigureWords } from "../export/export-view.ts";
import { fileName } from "../../../components/save-drawing.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { regionAnchors, shownName } from "../regions/draw/region-anchors.ts";
import { useRegions } from "../regions/use-regions.ts";
import { EXPORT_BUTTON, ExportFace, type ExportMenuProps } from "./export-menu-button.tsx";
import { labelsIn } from "./group-labels.tsx";
import { scaleBar } from "@stipple/viewer/geometry";
import { useGroupAnchors } from "./use-group-anchors.ts";

/** Saves what a view shows as a bitmap or vector image; loaded when first opened. */
export function ExportMenu({ view, scene, content, exported }: ExportMenuProps) {
  const names = useGroupAnchors();
  const page = useViewer();
  const { manifest } = page;
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const all = useRegions();
  const hidden = useViewerState((state) => state.regionWork.hidden);
  const name = stageTexts.viewNames[view];

  async function save(kind: "png" | "svg"): Promise<void> {
    if (!scene) return;
    const { widthPx, heightPx, umPerPixel } = scene.frame();
    const { swipe } = content;
    const regions = view === "tissue" ? all.filter(({ id }) => !hidden.includes(id)) : [];
    const words: FigureWords = {
      ...exported,
      labels: labelsIn(scene, view === "umap" ? names : regionAnchors(regions, [])),
      regions: regions.map(({ shape, value }) => ({ ...value, shape, name: shownName(value) })),
      scaleBar: umPerPixel === null ? null : scaleBar(umPerPixel, 140),
      swipe:
        view === "tissue" && swipe !== null
          ? { at: swipe, label: stageTexts.swipe(manifest.binSidePx !== null) }
          : null,
    };
    const shown = { scene, content, widthPx, heightPx, words };
    const file = fileName(exported.title, exported.subtitle, name);
    try {
      if (kind === "png") await exportPng(shown, file);
      else exportSvg(shown, file);
    } catch (error) {
      console.error(error);
      toast(stageTexts.exportFailed, { failed: true });
    }
  }

  async function add(): Promise<void> {
    const drawing = viewDrawing(page, view);
    const title = shownValueNames(page.store.getState()).join(" + ");
    if (drawing) toast(await addPanel(page, drawing, title));
  }

  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger
        aria-label={stageTexts.exportView(name)}
        title={stageTexts.exportView(name)}
        className={EXPORT_BUTTON}
      >
        <ExportFace />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className="z-40 outline-none">
          <Menu.Popup className="w-64 rounded-card border border-line bg-card p-1.5 shadow-lg outline-none">
            <ExportItem
              label={stageTexts.exportPng}
              hint={stageTexts.exportPngHint}
              onClick={() => void save("png")}
            />
            <ExportItem
              label={stageTexts.exportSvg}
              hint={stageTexts.exportSvgHint}
              onClick={() => void save("svg")}
            />
            {mayEdit && (
              <ExportItem
                label={composerTexts.add}
                hint={composerTexts.addHint}
                onClick={() => void add()}
              />
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function ExportItem({
  label,
  hint,
  onClick,
}: {
  label: string;
  hint: string;
  onClick: () => void;
}) {
  return (
    <Menu.Item
      onClick={onClick}
      className="cursor-default rounded-md px-2.5 py-2 outline-none select-none data-highlighted:bg-raised"
    >
      <span className="block font-medium">{label}</span>
      <span className="block text-xs text-ink-3">{hint}</span>
    </Menu.Item>
  );
}
