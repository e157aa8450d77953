import type { Scene } from "@stipple/viewer";
import { useEffect, useState } from "react";
import { Cross } from "../../../project/view/cross.tsx";
import type { LinkedScenes } from "./linked-scenes.ts";

export interface Mark {
  label: string;
  /** Drawing units. */
  x: number;
  y: number;
}

/** Landmarks, and the place that the pointer is on in another section; they follow the view. */
export function SectionMarks({
  id,
  scene,
  linked,
  marks,
}: {
  id: string;
  scene: Scene;
  linked: LinkedScenes;
  marks: readonly Mark[];
}) {
  const [, setMoves] = useState(0);
  useEffect(() => linked.subscribe(() => setMoves((moves) => moves + 1)), [linked]);
  const pointed = linked.pointedOn(id);
  if (marks.length === 0 && !pointed) return null;
  const [px, py] = pointed ? scene.project(...pointed) : [0, 0];
  return (
    <svg aria-hidden className="pointer-events-none absolute inset-0 z-[5] size-full">
      {pointed && (
        <g transform={`translate(${px} ${py})`}>
          <Cross />
        </g>
      )}
      {marks.map(({ label, x, y }) => {
        const [markX, markY] = scene.project(x, y);
        return (
          <g key={label} transform={`translate(${markX} ${markY})`}>
            <circle r="9" fill="#0f1b2a" stroke="#fff" strokeWidth="2" />
            <text y="4" textAnchor="middle" fontSize="11" fontWeight="600" fill="#fff">
              {label}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
