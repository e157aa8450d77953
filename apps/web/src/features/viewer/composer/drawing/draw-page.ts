import type { ViewSource } from "@stipple/viewer/source";
import { lettersOf, type FigurePanel, type PaperFigure } from "../figures.ts";
import { pageLayout, type PanelLayout } from "../page/layout.ts";
import { familyOf, pageSvg } from "../page/page-svg.ts";
import { plotSvg } from "../page/plot-part.ts";
import { reachedDpi } from "../page/view-frame.ts";
import { viewRoom, viewSvg } from "../page/view-part.ts";
import { composerTexts } from "../texts.ts";
import { drawView, type DrawnView } from "./draw-view.ts";
import type { ReadPanel } from "./panel-reader.tsx";
import type { ReadView } from "./view-reader.tsx";

export interface DrawnPage {
  /** SVG file text; `style`: a style sheet. */
  svg: (style?: string) => string;
  /** What differs from what was asked for, a sentence each. */
  remarks: readonly string[];
}

/** Views that were drawn, by panel: they are drawn again only for another size, resolution, or content. */
export type ViewCache = Map<string, { key: string; content: object; view: DrawnView }>;

interface PageInput {
  figure: PaperFigure;
  read: ReadonlyMap<string, ReadPanel>;
  dpi: number;
  source: ViewSource;
  cache: ViewCache;
}

interface DrawnPanel {
  body: string;
  remarks: string[];
}

const hasSmallerText = (textPt: number, asked: number): boolean => textPt < asked - 0.05;

/** Draws a figure's panels one after the other, with views at a resolution. Rejects if the signal is aborted. */
export async function drawPage(input: PageInput, signal: AbortSignal): Promise<DrawnPage> {
  const { figure, read } = input;
  const layout = pageLayout(figure);
  const letters = lettersOf(figure);
  const bodies = new Map<string, string>();
  const remarks: string[] = [];
  for (const placed of layout.panels) {
    const { id } = placed.panel;
    const panel = read.get(id);
    if (!panel) continue;
    const drawn = await drawPanel(input, placed, panel, signal);
    signal.throwIfAborted();
    bodies.set(id, drawn.body);
    const name = composerTexts.panel(letters.get(id) ?? "");
    remarks.push(...drawn.remarks.map((remark) => `${name}: ${remark}`));
  }
  return { svg: (style) => pageSvg(figure, layout, bodies, style), remarks };
}

async function drawPanel(
  input: PageInput,
  placed: PanelLayout,
  read: ReadPanel,
  signal: AbortSignal,
): Promise<DrawnPanel> {
  if (read.kind === "nothing") return { body: "", remarks: [read.why] };
  const { figure } = input;
  if (read.kind === "view") return drawViewPanel(input, placed, read, signal);
  const { svg, textPt } = plotSvg(read.figure, placed.body, {
    textPt: figure.textPt,
    family: familyOf(figure),
    hasLegend: placed.panel.legend !== "none",
  });
  const isSmall = hasSmallerText(textPt, figure.textPt);
  return { body: svg, remarks: isSmall ? [composerTexts.smallText(textPt)] : [] };
}

async function drawViewPanel(
  { figure, dpi, source, cache }: PageInput,
  { panel, body }: PanelLayout,
  { content, legend, anchors }: ReadView,
  signal: AbortSignal,
): Promise<DrawnPanel> {
  const framed = panel.drawing as Extract<FigurePanel["drawing"], { kind: "view" }>;
  const room = viewRoom(panel, legend, body, {
    textPt: figure.textPt,
    hasAxes: framed.of === "umap",
  });
  const { width, height } = room.picture;
  const key = [width, height, dpi, ...Object.values(framed)].join(" ");
  let kept = cache.get(`${panel.id} ${dpi}`);
  if (kept?.key !== key || kept.content !== content) {
    const { id } = panel;
    const wanted = { source, of: framed.of, content, framed, width, height, dpi, id };
    try {
      kept = { key, content, view: await drawView(wanted, signal) };
    } catch (error) {
      signal.throwIfAborted();
      console.error(error);
      return { body: room.legend, remarks: [composerTexts.notDrawn] };
    }
    cache.set(`${id} ${dpi}`, kept);
  }
  const { view } = kept;
  const isImage = framed.of === "tissue" && content.layers.tissue;
  const onPage = { framed, width, height, dpi: figure.dpi };
  const reached = isImage ? reachedDpi(onPage) : figure.dpi;
  const remarks = [
    reached < figure.dpi - 1 && composerTexts.lowerDpi(Math.round(reached)),
    view.cellsAsPicture > 0 && composerTexts.cellsAsPicture(view.cellsAsPicture),
    hasSmallerText(room.textPt, figure.textPt) && composerTexts.smallText(room.textPt),
  ].filter((remark) => remark !== false);
  const look = {
    id: panel.id,
    textPt: figure.textPt,
    hasScaleBar: panel.scaleBar,
    anchors: framed.of === "umap" ? anchors : [],
  };
  return { body: viewSvg(view, room, look) + room.legend, remarks };
}
