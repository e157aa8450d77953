import { useImperativeHandle, useState, type Ref, type RefObject } from "react";
import { useViewerState, useViewer } from "../state/viewer-context.tsx";
import { Swatch } from "../../../components/swatch.tsx";
import { shownGroups } from "../state/shown-groups.ts";
import { GROUPINGS } from "@stipple/viewer/choices";
import { viewerTexts } from "../texts.ts";
import { useMeasure } from "../data/use-values.ts";
import { valueText } from "@stipple/viewer/cells";

const CARD_WIDTH = 256;

export interface HoverCardControl {
  /** Pointer position on the stage, CSS px; null = not over a cell of this stage. */
  moveTo(pointer: { x: number; y: number } | null): void;
}

/** Where a card of a height begins: away from the pointer and, in a low view, over it rather than outside. */
export function cardTop(y: number, cardHeight: number, height: number): number {
  const top = y > height / 2 ? y - 12 - cardHeight : y + 12;
  return Math.max(4, Math.min(top, height - cardHeight - 4));
}

/**
 * Information about the cell under the pointer, next to the pointer where there is room. Keeps its own position state
 * so that the stage does not re-render on every move.
 */
export function HoverCard({
  control,
  parent,
  values,
}: {
  control: Ref<HoverCardControl>;
  parent: RefObject<HTMLElement | null>;
  values: readonly { name: string; values: Float32Array }[];
}) {
  const [at, setAt] = useState<{ x: number; y: number; width: number; height: number } | null>(
    null,
  );
  const [high, setHigh] = useState(0);
  const hovered = useViewerState((state) => state.hovered);
  useImperativeHandle(
    control,
    () => ({
      moveTo(pointer) {
        const { clientWidth: width, clientHeight: height } = parent.current!;
        setAt(pointer && { ...pointer, width, height });
      },
    }),
    [parent],
  );
  if (!at || hovered < 0) return null;
  const { x, y, width, height } = at;
  const left = x + 16 + CARD_WIDTH > width ? Math.max(8, x - 16 - CARD_WIDTH) : x + 16;
  return (
    <div
      ref={(card) => {
        if (card) setHigh(card.offsetHeight);
      }}
      className="pointer-events-none absolute z-10 rounded-control border border-line bg-card px-3 py-2.5 text-[0.8125rem] shadow-lg"
      style={{ width: CARD_WIDTH, left, top: cardTop(y, high, height) }}
    >
      <CellCard cell={hovered} values={values} />
    </div>
  );
}

/** Information about one cell. */
function CellCard({
  cell,
  values,
}: {
  cell: number;
  values: readonly { name: string; values: Float32Array }[];
}) {
  const { manifest, cells } = useViewer();
  const edits = useViewerState((state) => state.edits);
  const layer = useViewerState((state) => state.layer);
  const colorBy = useViewerState((state) => state.colorBy);
  const confidence = useMeasure("cells.confidence").data?.[cell];
  const observed = cells.observed[cell] === 1;
  const measured = layer !== "counts" || observed || colorBy === "measure";
  return (
    <>
      <p className="font-semibold">{viewerTexts.cell(cell)}</p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {GROUPINGS.map((of) => {
          const group = shownGroups(manifest, of, edits[of])[cells[of]?.[cell] ?? -1];
          return (
            group && (
              <Fact
                key={of}
                name={viewerTexts.groupings[of]}
                value={group.name}
                color={group.color}
              />
            )
          );
        })}
        {confidence !== undefined && Number.isFinite(confidence) && (
          <Fact name={viewerTexts.confidence} value={`${Math.round(100 * confidence)}%`} />
        )}
        <Fact name={viewerTexts.observed} value={observed ? viewerTexts.yes : viewerTexts.no} />
        {values.map(({ name, values: ofCells }) => {
          const value = ofCells[cell]!;
          const known = measured && Number.isFinite(value);
          return (
            <Fact key={name} name={name} value={known ? valueText(value) : viewerTexts.noValue} />
          );
        })}
      </dl>
    </>
  );
}

function Fact({ name, value, color }: { name: string; value: string; color?: string }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">
        {color && (
          <Swatch
            color={color}
            className="mr-1.5 inline-block size-2.5 translate-y-px rounded-[3px]"
          />
        )}
        {value}
      </dd>
    </>
  );
}
