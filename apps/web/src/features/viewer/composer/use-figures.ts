import type { Annotation } from "@stipple/contract/annotations";
import { useMemo } from "react";
import { annotationsOf, changeAnnotations } from "../annotations/annotation-store.ts";
import { useAnnotations } from "../annotations/use-annotations.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { PaperFigure } from "./figures.ts";

export type KeptFigure = Extract<Annotation, { kind: "figure" }>;

/** The project's figures by name, the one that is worked on, and what changes it. */
export function useFigures() {
  const { annotations } = useViewer();
  const items = useAnnotations((state) => state.items);
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const chosen = useViewerState((state) => state.paperFigure);
  const figures = useMemo(() => figuresOf(items), [items]);
  const open = openFigure(figures, chosen);
  const change = (value: PaperFigure | null): void => {
    if (open) changeAnnotations(annotations, [{ id: open.id, kind: "figure", value }]);
  };
  return { figures, open, change, mayEdit };
}

export function figuresOf(items: ReadonlyMap<string, Annotation>): KeptFigure[] {
  return annotationsOf(items, "figure").sort((a, b) =>
    a.value.name.localeCompare(b.value.name, "en", { numeric: true }),
  );
}

/** The chosen figure, or the last by name. */
export function openFigure(
  figures: readonly KeptFigure[],
  chosen: string | null,
): KeptFigure | undefined {
  return figures.find(({ id }) => id === chosen) ?? figures.at(-1);
}
