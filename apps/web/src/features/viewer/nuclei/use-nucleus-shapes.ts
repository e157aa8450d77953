import type { DrawnRegion } from "@stipple/viewer";
import { useEffect, useMemo, useState } from "react";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { OutlineCorners } from "../state/nucleus-work.ts";
import { stillThere, type NucleusEdits } from "./change-nuclei.ts";
import { setNucleusWork, type FindOutlines } from "./edit-nuclei.ts";

const [CHANGED, DELETED, CHOSEN] = ["#009e73", "#3c3c3c", "#f0c000"];

/** Has edited and chosen nuclei drawn over the others, as long as it is used. */
export function useNucleusShapes(edits: NucleusEdits, find: FindOutlines | undefined): void {
  const { store, manifest } = useViewer();
  const chosen = useViewerState((state) => state.nucleusWork.chosen);
  const deleted = useDeleted(edits, find);
  const { scale } = manifest.tissue;
  const drawn = useMemo(() => {
    const region = (ring: OutlineCorners, color: string): DrawnRegion => ({
      shape: [[Float64Array.from(ring.flat()).map((value) => value / scale)]],
      color,
      excluded: color === DELETED,
    });
    return [
      ...deleted.map((ring) => region(ring, DELETED!)),
      ...[...edits.values()].flatMap(({ added }) => added.map((ring) => region(ring, CHANGED!))),
      ...stillThere(chosen, edits).map(({ ring }) => region(ring, CHOSEN!)),
    ];
  }, [edits, deleted, chosen, scale]);
  useEffect(() => setNucleusWork(store, { drawn }), [store, drawn]);
  useEffect(() => () => setNucleusWork(store, { drawn: [], chosen: [] }), [store]);
}

/** Outlines of deleted nuclei, once they are loaded. */
function useDeleted(edits: NucleusEdits, find: FindOutlines | undefined): OutlineCorners[] {
  const { cells, manifest } = useViewer();
  const [known, setKnown] = useState<ReadonlyMap<number, OutlineCorners>>(new Map());
  const gone = useMemo(
    () => [...edits.values()].flatMap(({ removed, added }) => (added.length === 0 ? removed : [])),
    [edits],
  );
  useEffect(() => {
    let isOld = false;
    const missing = gone.filter((cell) => !known.has(cell) && 2 * cell < cells.xy.length);
    if (!find || missing.length === 0) return;
    const load = async (cell: number) => {
      const [x, y] = [0, 1].map((axis) => cells.xy[2 * cell + axis]! * manifest.tissue.scale);
      const around = await find({ minX: x!, minY: y!, maxX: x!, maxY: y! });
      const ring = around.find((one) => one.cell === cell)?.ring ?? new Float64Array();
      const corners = Array.from({ length: ring.length / 2 }, (_, at): [number, number] => [
        ring[2 * at]!,
        ring[2 * at + 1]!,
      ]);
      return [cell, corners] as const;
    };
    Promise.all(missing.map(load)).then(
      (loaded) => !isOld && setKnown((before) => new Map([...before, ...loaded])),
      // They are tried again with the next edit.
      () => undefined,
    );
    return () => void (isOld = true);
  }, [gone, known, find, cells, manifest]);
  return useMemo(
    () => gone.map((cell) => known.get(cell) ?? []).filter((ring) => ring.length > 0),
    [gone, known],
  );
}
