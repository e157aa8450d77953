import { Download, Table2 } from "lucide-react";
import { use, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { joinClasses } from "../../../../components/join-classes.ts";
import { plotTexts } from "../texts.ts";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";
import { FileSaving } from "../../sharing/file-saving.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import { usePlotSettings } from "../plot-settings.ts";
import { AddPlot } from "../../composer/add-buttons.tsx";
import { tableFile, type Figure } from "./figure.ts";
import { FigureTable } from "./figure-table.tsx";
import { FigureTaking } from "./figure-taker.ts";
import { legendDrawing } from "./legend.ts";
import { saveSheet } from "./sheet.ts";
import { useGround } from "../../../../components/use-ground.ts";
import { useWidth } from "./use-width.ts";

interface PlotFigureProps {
  figure: Figure;
  /** Which one, where a plot has several. */
  part?: number;
  /** A new figure is being computed; this one is dimmed until then. */
  stale?: boolean;
  onGene?: ((gene: string) => void) | undefined;
}

/** A figure on the page, or handed to who takes it. */
export function PlotFigure(props: PlotFigureProps) {
  const taker = use(FigureTaking);
  const { figure, part = 0, stale } = props;
  useEffect(() => {
    if (!stale) taker?.figure(figure, part);
  }, [taker, figure, part, stale]);
  return taker ? null : <ShownFigure {...props} />;
}

/** A figure with its title, summary, data table, and download options. */
function ShownFigure({ figure, part = 0, stale = false, onGene }: PlotFigureProps) {
  const { projectName } = useViewer();
  const [{ asTable }, set] = usePlotSettings();
  const [failed, setFailed] = useState(false);
  const id = useId();
  const name = fileName(projectName, figure.title);

  async function save(kind: "png" | "svg" | "csv"): Promise<void> {
    try {
      if (kind === "csv") saveFile(await tableFile(figure.table), `${name}.csv`);
      else await saveSheet(kind, figure, projectName, name);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  }

  return (
    <figure
      aria-labelledby={`${id}-title`}
      aria-busy={stale}
      className="flex min-w-0 flex-col gap-2"
    >
      <figcaption>
        <h3 id={`${id}-title`} className="text-sm">
          {figure.title}
        </h3>
        <p className="text-xs text-ink-3">{figure.subtitle}</p>
      </figcaption>
      {/* Only the figure is dimmed: text keeps its contrast. */}
      <div className={joinClasses("min-w-0", stale && "opacity-50")}>
        {asTable ? (
          <FigureTable title={figure.title} table={figure.table} onGene={onGene} />
        ) : (
          <Drawing figure={figure} onGene={onGene} labelledBy={`${id}-title`} describedBy={id} />
        )}
      </div>
      <p id={id} className="text-xs text-ink-2">
        {figure.summary}
      </p>
      <div className="mt-1 flex flex-wrap gap-1.5">
        <Button
          size="sm"
          aria-pressed={asTable}
          icon={Table2}
          onClick={() => set({ asTable: !asTable })}
        >
          {asTable ? plotTexts.asPlot : plotTexts.asTable}
        </Button>
        <FileSaving>
          <div className="flex overflow-hidden rounded-control border border-line-input/60 bg-card">
            {(["png", "svg", "csv"] as const).map((kind, at) => (
              <button
                key={kind}
                type="button"
                aria-label={plotTexts.saveAs(kind)}
                title={plotTexts.saveAs(kind)}
                onClick={() => void save(kind)}
                className="flex h-7.5 items-center gap-2 border-r border-line px-2.5 text-[0.8125rem] font-medium outline-offset-[-3px] last:border-0 hover:bg-raised"
              >
                {at === 0 && <Download aria-hidden className="size-3.5" />}
                {kind.toUpperCase()}
              </button>
            ))}
          </div>
        </FileSaving>
        <AddPlot title={figure.title} part={part} />
      </div>
      {failed && (
        <p role="alert" className="text-xs text-bad">
          {plotTexts.saveFailed}
        </p>
      )}
    </figure>
  );
}

/** A figure's drawing and legend, as wide as there is room. */
export function Drawing({
  figure,
  onGene,
  labelledBy,
  describedBy,
}: {
  figure: Figure;
  onGene: ((gene: string) => void) | undefined;
  labelledBy: string;
  describedBy: string;
}) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const holder = useRef<HTMLDivElement>(null);
  const ground = useGround();
  const drawnWidth = Math.max(width, figure.leastWidth);

  useEffect(() => {
    if (width === 0 || !holder.current) return;
    const drawing: SVGSVGElement & { value?: unknown } = figure.draw(drawnWidth, ground);
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-labelledby", labelledBy);
    drawing.setAttribute("aria-describedby", describedBy);
    const legend = legendDrawing(figure.legend, width, ground);
    legend.setAttribute("aria-hidden", "true");
    holder.current.replaceChildren(drawing);
    frame.current?.querySelector("[data-legend]")?.replaceChildren(legend);
    if (!onGene) return;
    const click = () => {
      const { gene } = (drawing.value ?? {}) as { gene?: string };
      if (gene) onGene(gene);
    };
    drawing.style.cursor = "pointer";
    drawing.addEventListener("click", click);
    return () => drawing.removeEventListener("click", click);
  }, [figure, onGene, width, drawnWidth, ground, frame, labelledBy, describedBy]);

  return (
    <div ref={frame} className="min-w-0 text-ink">
      <div
        ref={holder}
        // Only a scrollable figure needs keyboard focus.
        {...(drawnWidth > width && width > 0
          ? { tabIndex: 0, role: "group", "aria-label": plotTexts.scrollable }
          : {})}
        className="overflow-x-auto tabular-nums"
      />
      <div data-legend className="mt-2" />
    </div>
  );
}
