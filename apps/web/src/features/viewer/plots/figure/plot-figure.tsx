import { Table2 } from "lucide-react";
import { use, useEffect, useId, useRef } from "react";
import { Button } from "../../../../components/button.tsx";
import { joinClasses } from "../../../../components/join-classes.ts";
import { plotTexts } from "../texts.ts";
import { usePlotSettings } from "../plot-settings.ts";
import { AddPlot } from "../../composer/add-buttons.tsx";
import type { Figure } from "./figure.ts";
import { FigureTable } from "./figure-table.tsx";
import { FigureTaking } from "./figure-taker.ts";
import { legendDrawing } from "./legend.ts";
import { SaveFigure } from "./save-figure.tsx";
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
  const [{ asTable }, set] = usePlotSettings();
  const id = useId();

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
        <SaveFigure name={figure.title} figure={() => figure} />
        <AddPlot title={figure.title} part={part} />
      </div>
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
  const drawnWidth = Math.max(width, figure.minWidth);

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
