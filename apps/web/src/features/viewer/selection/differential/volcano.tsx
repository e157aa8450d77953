import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type CSSProperties,
  type PointerEvent,
  type ReactNode,
} from "react";
import { differentialTexts } from "./texts.ts";
import { useWidth } from "../../plots/figure/use-width.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import type { Thresholds } from "./gene-rows.ts";
import { probabilityText, signedText } from "./number-text.ts";
import { VolcanoDrawing, volcanoScales } from "./volcano-drawing.tsx";
import { nearestGene, volcanoPoints, type VolcanoPoints } from "./volcano-points.ts";
import { fileName, savePng, saveSvg } from "../../../../components/save-drawing.ts";
import { toast } from "../../../../components/toast-store.ts";
import { Button } from "../../../../components/button.tsx";

const texts = differentialTexts.volcano;
const REACH_PX = 12;
/** Size of saved images, px: room for gene labels, however narrow the panel is. */
const FILE = { width: 720, height: 520 };
/** Light-mode colors: files are dark on white, whatever the page's theme. */
const PAPER = {
  colorScheme: "light",
  "--card": "#ffffff",
  "--ink": "#0f1b2a",
  "--ink-2": "#46566a",
  "--ink-3": "#5f6e80",
  "--line-input": "#7b8794",
  "--missing": "#c9d1da",
} as CSSProperties;

/** Effect versus evidence for every gene, explorable by pointer and keyboard, and savable as an image. */
export function Volcano({
  title,
  table,
  thresholds,
}: {
  title: string;
  table: DifferentialTable;
  thresholds: Thresholds;
}) {
  const { mayExport, store } = useViewer();
  const describes = useId();
  const [frame, width] = useWidth<HTMLDivElement>();
  const height = Math.round(Math.min(420, 0.85 * width));
  const [active, setActive] = useState(-1);
  const points = useMemo(() => volcanoPoints(table, thresholds), [table, thresholds]);
  const scales = useMemo(() => volcanoScales(points, width, height), [points, width, height]);
  const visited = useMemo(() => visitedGenes(table, points), [table, points]);
  const counts = useMemo(
    () => [1, -1].map((side) => points.side.reduce((n, at) => n + (at === side ? 1 : 0), 0)),
    [points],
  );
  const drawing = { title, genes: table.genes, points, counts, thresholds };
  const { save, sheet } = useSavedDrawing(drawing);

  const colorByActive = (): void => {
    if (active >= 0) store.setState({ colorBy: "gene", gene: table.genes[active]! });
  };

  function geneAt(event: PointerEvent): number {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return nearestGene(points, scales, event.clientX - left, event.clientY - top, REACH_PX);
  }

  return (
    <div className="flex flex-col gap-1">
      <div
        ref={frame}
        role="application"
        aria-label={texts.title}
        aria-describedby={describes}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.key === "Enter") colorByActive();
          const next = nextGene(visited, active, event.key);
          if (next === undefined) return;
          event.preventDefault();
          setActive(next);
        }}
        onBlur={() => setActive(-1)}
        onPointerMove={(event) => setActive(geneAt(event))}
        onPointerLeave={() => setActive(-1)}
        onClick={colorByActive}
        className="relative"
        style={{ height, cursor: active >= 0 ? "pointer" : undefined }}
      >
        {width > 0 && <VolcanoDrawing {...drawing} scales={scales} active={active} />}
      </div>
      {sheet}
      <p id={describes} className="sr-only">
        {texts.describe(counts[0]!, counts[1]!, table.genes.length)}
      </p>
      <div className="flex min-h-8 items-center justify-between gap-2">
        <p role="status" className="min-w-0 truncate text-xs text-ink-2">
          {active >= 0 && factsOf(table, active)}
        </p>
        {mayExport && (
          <span className="flex gap-1">
            <SaveButtons onSave={save} />
          </span>
        )}
      </div>
    </div>
  );
}

/** Keys step through the genes that differ, or through all genes if none do. */
function visitedGenes(table: DifferentialTable, points: VolcanoPoints): number[] {
  const rows = [...table.genes.keys()];
  const beyond = rows.filter((row) => points.side[row] !== 0);
  return beyond.length > 0 ? beyond : rows;
}

/** The gene to which a key leads; undefined for other keys. */
function nextGene(visited: readonly number[], active: number, key: string): number | undefined {
  const at = visited.indexOf(active);
  const next = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: Math.max(0, at - 1),
    ArrowUp: Math.max(0, at - 1),
    Home: 0,
    End: visited.length - 1,
  }[key];
  return next === undefined ? undefined : (visited[Math.min(next, visited.length - 1)] ?? -1);
}

function factsOf(table: DifferentialTable, row: number): string {
  const change = signedText(table.log2_fold_change[row]!);
  return texts.gene(table.genes[row]!, change, probabilityText(table.fdr[row]!));
}

/** Saves the plot at a size of its own: `sheet`, out of sight, is what is saved. */
function useSavedDrawing(
  drawing: Omit<ComponentProps<typeof VolcanoDrawing>, "ref" | "scales" | "active">,
): { save: (kind: "png" | "svg") => void; sheet: ReactNode } {
  const { projectName } = useViewer();
  const sheet = useRef<SVGSVGElement>(null);
  const [saving, setSaving] = useState<"png" | "svg" | null>(null);
  const { points, title } = drawing;
  const scales = useMemo(() => volcanoScales(points, FILE.width, FILE.height), [points]);
  useEffect(() => {
    if (saving === null || !sheet.current) return;
    const name = fileName(projectName, "volcano", title);
    const saved =
      saving === "png"
        ? savePng(sheet.current, name)
        : Promise.resolve(saveSvg(sheet.current, name));
    saved.catch(() => toast(texts.saveFailed, { failed: true })).finally(() => setSaving(null));
  }, [saving, projectName, title]);
  return {
    save: setSaving,
    sheet: saving && (
      <div aria-hidden className="pointer-events-none fixed top-0 left-[-9999px]" style={PAPER}>
        <VolcanoDrawing {...drawing} ref={sheet} scales={scales} active={-1} />
      </div>
    ),
  };
}

/** One for each kind of file. */
function SaveButtons({ onSave }: { onSave: (kind: "png" | "svg") => void }) {
  return (["png", "svg"] as const).map((kind) => (
    <Button
      key={kind}
      size="sm"
      variant="ghost"
      aria-label={texts.saveAs[kind]}
      onClick={() => onSave(kind)}
    >
      {texts.save[kind]}
    </Button>
  ));
}
