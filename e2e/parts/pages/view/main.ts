import { createScene, openChannels, type DrawnRegion, type Scene } from "@stipple/viewer";
import { cellColors, cellsOf, parseColor } from "@stipple/viewer/cells";
import { areaOfRing, combinedShapes, polygonTool } from "@stipple/viewer/drawing";
import { FIRST_LAYERS, GROUPINGS, type Grouping } from "@stipple/viewer/choices";
import { folderSource, loadCells, type ViewSource } from "@stipple/viewer/source";
import { regionFinder, regionTool } from "@stipple/viewer/tools";
import { syntheticView, type SyntheticView } from "./synthetic-view.ts";

declare global {
  interface Window {
    opened: { scene: Scene; source: ViewSource } | undefined;
    memory: SyntheticView;
    /** What the scene and its tools told, in order. */
    told: unknown[];
    openMemory(): Promise<void>;
    /** Opens the view in the chosen folder; the sentence if there is none. */
    openFolder(withChannels: boolean): Promise<string | null>;
    useLasso(): void;
    /** Draws polygons, each cut out of the one before, and shows them as a region. */
    usePolygons(): void;
  }
}

window.told = [];
const tell = (...words: unknown[]) => window.told.push(words);
const HIDDEN = Object.fromEntries(GROUPINGS.map((of) => [of, []])) as unknown as Record<
  Grouping,
  []
>;

let drawRegions: (regions: readonly DrawnRegion[]) => void;

async function open(source: ViewSource, withChannels = false): Promise<void> {
  window.opened?.scene.destroy();
  const cells = await loadCells(source);
  const palette = source.manifest.types.map(({ color }) => parseColor(color));
  const { rgba } = cellColors(cells, { by: "group", of: "type", palette }, HIDDEN);
  const scene = createScene(
    document.querySelector<HTMLDivElement>("#stage")!,
    { view: "tissue", source, place: null },
    {
      onView: ({ close }) => tell("view", close),
      onHover: (cell) => tell("hover", cell),
      onMissing: (part, isMissing) => tell("missing", part, isMissing),
      onLost: () => tell("lost"),
    },
  );
  const draw = withChannels ? await openChannels(source) : undefined;
  const look = {
    selections: (source.manifest.channels?.channels ?? []).map((_, c) => ({ c })),
    choices: (source.manifest.channels?.channels ?? []).map((one) => ({ ...one, visible: true })),
    onTileError: () => tell("channels failed"),
    onComplete: () => tell("channels drawn"),
  };
  const content = {
    cells,
    rgba,
    layers: { ...FIRST_LAYERS, cellOpacity: 1 },
    spots: undefined,
    swipe: null,
    polygonOffsets: (await source.column("polygons.offsets")) as Uint32Array,
    nucleusOffsets: undefined,
    channels: draw && { at: (opacity: number) => draw(look, opacity), complete: true },
  };
  scene.show(content);
  drawRegions = (regions) => scene.show({ ...content, regions });
  window.opened = { scene, source };
}

window.memory = syntheticView();
window.openMemory = () => open(window.memory);
window.openFolder = async (withChannels) => {
  const files = document.querySelector<HTMLInputElement>("#folder")!.files!;
  try {
    await open(await folderSource(files), withChannels);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

window.useLasso = () => {
  const { scene } = window.opened!;
  const finder = regionFinder(scene.positions);
  scene.use(
    regionTool("lasso", {
      onOutline: () => undefined,
      onRegion: (ring) => void finder.find(ring).then((set) => tell("region", [...cellsOf(set)])),
    }),
  );
};

window.usePolygons = () => {
  let shape: DrawnRegion["shape"] = [];
  window.opened!.scene.use(
    polygonTool({
      onSketch: (sketch) => tell("corners", (sketch?.handles?.length ?? 0) / 2),
      onRing: (ring) => {
        shape =
          shape.length === 0
            ? areaOfRing(ring)
            : combinedShapes(shape, areaOfRing(ring), "subtract");
        drawRegions([{ shape, color: "#ffffff", excluded: true }]);
      },
    }),
  );
};
