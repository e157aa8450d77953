import { shortened, textWidth, type GroupLabel } from "@stipple/viewer/figure";
import { useViewerState } from "../state/viewer-context.tsx";
import { placedLabels } from "./group-anchors.ts";
import type { Scene } from "@stipple/viewer";
import type { ViewName } from "@stipple/viewer/choices";
import { useGroupAnchors } from "./use-group-anchors.ts";

/** CSS px. */
export const LABEL_SIZE = 12;
const LINE_HEIGHT = 15;
/** A longer name would lie across the picture and be cut off at its edge. */
const LONGEST = 180;

/** The labels that have room in a scene, CSS px; none before it has been drawn. */
export function labelsIn(scene: Scene | null, anchors: readonly GroupLabel[]): GroupLabel[] {
  if (!scene || anchors.length === 0) return [];
  const wanted = anchors.map((anchor) => {
    const [x, y] = scene.project(anchor.x, anchor.y);
    return { name: shortened(anchor.name, LONGEST, LABEL_SIZE), x, y };
  });
  // Semibold letters are a little wider.
  return placedLabels(wanted, { ...scene.frame(), lineHeight: LINE_HEIGHT }, (name) =>
    Math.ceil(1.08 * textWidth(name, LABEL_SIZE)),
  );
}

/** Names of groups over the UMAP; they follow it. */
export function GroupLabels({ scene }: { scene: Scene | null }) {
  return <StageLabels view="umap" scene={scene} anchors={useGroupAnchors()} />;
}

/** Names at places of a view that have room; they follow it. */
export function StageLabels({
  view,
  scene,
  anchors,
}: {
  view: ViewName;
  scene: Scene | null;
  anchors: readonly GroupLabel[];
}) {
  // Re-render whenever the view moves.
  useViewerState((state) => state.places[view]);
  const labels = labelsIn(scene, anchors);
  if (labels.length === 0) return null;
  return (
    <svg aria-hidden className="pointer-events-none absolute inset-0 size-full">
      {labels.map(({ name, x, y }) => (
        <text
          key={`${name} ${x} ${y}`}
          x={x}
          y={y}
          textAnchor="middle"
          dominantBaseline="middle"
          fontSize={LABEL_SIZE}
          className="fill-ink stroke-card font-semibold [paint-order:stroke]"
          strokeWidth={3}
          strokeLinejoin="round"
        >
          {name}
        </text>
      ))}
    </svg>
  );
}
