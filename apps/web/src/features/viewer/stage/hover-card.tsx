import { useImperativeHandle, useState, type Ref, type RefObject } from "react";
import { useViewerState } from "../state/viewer-context.tsx";
import { CellCard } from "./cell-card.tsx";

const CARD_WIDTH = 256;

export interface HoverCardControl {
  /** Pointer position on the stage, CSS px; null = not over a cell of this stage. */
  moveTo(pointer: { x: number; y: number } | null): void;
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
      className="pointer-events-none absolute z-10 rounded-control border border-line bg-card px-3 py-2.5 text-[0.8125rem] shadow-lg"
      style={{
        width: CARD_WIDTH,
        left,
        ...(y > height / 2 ? { bottom: height - y + 12 } : { top: y + 12 }),
      }}
    >
      <CellCard cell={hovered} values={values} />
    </div>
  );
}
