import { joinClasses } from "../../../components/join-classes.ts";
import { Swatch } from "../../../components/swatch.tsx";
import { ValueScale } from "../../../project/view/value-scale.tsx";
import { viewerTexts } from "../texts.ts";
import { isOfType } from "../data/counted.ts";
import { useViewerState } from "../state/viewer-context.tsx";
import { mixedPart, valueText } from "@stipple/viewer/cells";
import { shownValueNames } from "./shown-value-names.ts";
import type { CellColoring } from "./use-coloring.ts";

/** The color scale of the displayed values; nothing for groups, whose colors are in the lists. */
export function Legend({ coloring }: { coloring: CellColoring }) {
  const names = useViewerState(shownValueNames);
  const layer = useViewerState((state) => state.layer);
  const quantiles = useViewerState((state) => state.quantiles);
  const isMeasure = useViewerState((state) => state.colorBy === "measure");
  const ofType = useViewerState((state) => state.colorBy === "measure" && isOfType(state.measure));
  const [first, second] = coloring.ranges;
  if (coloring.coloring.by === "sets") return <GroupColors />;
  if (!first) return null;
  const observedOnly = "observedOnly" in coloring.coloring && coloring.coloring.observedOnly;
  return (
    <div className="w-56 max-w-full rounded-control border border-line bg-card/95 px-3 py-2 text-xs narrow:w-32 narrow:px-2 short:w-28 short:py-1">
      {coloring.coloring.by === "two" && second ? (
        <div className="flex items-center gap-3 narrow:flex-col narrow:items-start narrow:gap-1.5 short:[&>svg]:hidden">
          <TwoGeneSquare />
          <div className="min-w-0">
            <p className="truncate">
              <Dot className="bg-[#d55e00]" /> <b>{names[0]}</b> → {valueText(first.high)}
            </p>
            <p className="truncate">
              <Dot className="bg-[#0072b2]" /> <b>{names[1]}</b> ↑ {valueText(second.high)}
            </p>
            <p className="text-ink-3 short:hidden">{viewerTexts.layers[layer]}</p>
          </div>
        </div>
      ) : (
        <>
          <p className="flex items-baseline justify-between gap-x-2 narrow:flex-wrap">
            <span className="truncate font-semibold">{names[0] ?? names[1]}</span>
            {!isMeasure && (
              <span className="shrink-0 text-ink-3 short:hidden">{viewerTexts.layers[layer]}</span>
            )}
          </p>
          <ValueScale range={first} quantiles={quantiles} />
        </>
      )}
      {(observedOnly || ofType) && (
        <p className="mt-1 flex items-center gap-1.5 text-ink-3 short:hidden">
          <Dot className="bg-[#c9d1da]" /> {ofType ? viewerTexts.noType : viewerTexts.noValue}
        </p>
      )}
    </div>
  );
}

/** Colors of the user's groups, which have no list on the left. */
function GroupColors() {
  const groups = useViewerState((state) => state.groups);
  return (
    <ul
      aria-label={viewerTexts.colorings.groups}
      className="max-h-40 w-48 max-w-full narrow:w-32 narrow:px-2 short:max-h-14 short:w-28 short:py-1 overflow-hidden rounded-control border border-line bg-card/95 px-3 py-2 text-xs"
    >
      {groups.map(({ id, name, color }) => (
        <li key={id} className="flex items-center gap-2 leading-5">
          <Swatch color={color} className="size-2.5 shrink-0 rounded-full" />
          <span className="truncate">{name}</span>
        </li>
      ))}
    </ul>
  );
}

function Dot({ className }: { className: string }) {
  return (
    <span aria-hidden className={joinClasses("inline-block size-2 rounded-full", className)} />
  );
}

const STEPS = [0, 0.25, 0.5, 0.75, 1] as const;

function TwoGeneSquare() {
  return (
    <svg aria-hidden viewBox="0 0 5 5" className="size-12 shrink-0" shapeRendering="crispEdges">
      {STEPS.flatMap((a, x) =>
        STEPS.map((b, y) => (
          <rect
            key={`${x}${y}`}
            x={x}
            y={4 - y}
            width={1}
            height={1}
            fill={`rgb(${[0, 1, 2].map((part) => mixedPart(a, b, part)).join(" ")})`}
          />
        )),
      )}
    </svg>
  );
}
