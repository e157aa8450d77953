import * as z from "zod/mini";

/** A page of panels for a paper, with what each panel needs to be drawn again. */

/** Of a page's width and height, mm. */
export const PAGE_MM = { least: 20, most: 300 } as const;
/** Of a page's panels, columns, and the rows and columns that a panel takes. */
export const MAX_PANELS = 24;
export const MAX_COLUMNS = 6;
export const MAX_ROWS_OF_PANEL = 4;
/** Resolution of what is drawn as a picture. */
export const DPI = { least: 72, most: 600 } as const;
/** Size of a figure's text, points. */
export const TEXT_PT = { least: 4, most: 14 } as const;
export const PAPER_FONTS = ["Inter", "Helvetica", "Times"] as const;
export const PANEL_LETTERS = ["A", "a", "none"] as const;
export const LEGEND_PLACES = ["right", "below", "none"] as const;

const within = ({ least, most }: { least: number; most: number }) =>
  z.number().check(z.minimum(least), z.maximum(most));
const count = (most: number) => z.int().check(z.minimum(1), z.maximum(most));

/** A view as it was: its place and its size on the page, CSS px. */
const viewDrawing = z.object({
  kind: z.literal("view"),
  of: z.enum(["tissue", "umap"]),
  x: z.number(),
  y: z.number(),
  zoom: z.number(),
  widthPx: z.number().check(z.minimum(1), z.maximum(20_000)),
  heightPx: z.number().check(z.minimum(1), z.maximum(20_000)),
});

/** A plot with its settings; `part`: which one, where a plot has several drawings. */
const plotDrawing = z.object({
  kind: z.literal("plot"),
  settings: z.record(z.string(), z.unknown()),
  part: z.int().check(z.minimum(0), z.maximum(20)),
});

/** `oneLine`: text without line ends; `packed`: base64 of deflated bytes. */
export function paperFigure<
  Text extends z.ZodMiniType<string>,
  Packed extends z.ZodMiniType<string>,
  Key extends z.ZodMiniType<string>,
>({ name, packed, cellsKey }: { name: Text; packed: Packed; cellsKey: Key }) {
  const panel = z.object({
    /** Also part of ids in drawings. */
    id: z.string().check(z.regex(/^[A-Za-z][\w-]{0,63}$/)),
    /** Columns and rows of the page that it takes. */
    columns: count(MAX_COLUMNS),
    rows: count(MAX_ROWS_OF_PANEL),
    /** Written next to its letter. */
    title: z.string().check(z.maxLength(200), z.regex(/^[^\p{Cc}\u2028\u2029]*$/u)),
    legend: z.enum(LEGEND_PLACES),
    scaleBar: z.boolean(),
    /** What the page showed, as in its address. */
    query: z.string().check(z.maxLength(100_000)),
    /** The cells that were selected; null = none. */
    selection: z.nullable(z.object({ cells: packed, cellsKey })),
    drawing: z.discriminatedUnion("kind", [viewDrawing, plotDrawing]),
  });
  return z.object({
    name,
    widthMm: within(PAGE_MM),
    heightMm: within(PAGE_MM),
    /** Panels fill its columns row by row, in their order. */
    columns: count(MAX_COLUMNS),
    dpi: within(DPI),
    font: z.enum(PAPER_FONTS),
    textPt: within(TEXT_PT),
    letters: z.enum(PANEL_LETTERS),
    panels: z.array(panel).check(z.maxLength(MAX_PANELS)),
  });
}
