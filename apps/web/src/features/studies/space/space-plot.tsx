import { useEffect, useRef } from "react";
import type { ColoredPoints } from "./color-points.ts";
import { drawPoints } from "./draw-points.ts";

/** Pixels of a plot, for screens of any density. */
const SIDE = 900;

/** All points of a joint space. */
export function SpacePlot({
  xy,
  colored,
  title,
  label,
}: {
  xy: Uint16Array;
  colored: ColoredPoints;
  title: string;
  label: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pixels = drawPoints(xy, colored, SIDE);
    canvas.current?.getContext("2d")?.putImageData(new ImageData(pixels, SIDE, SIDE), 0, 0);
  }, [xy, colored]);
  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 font-medium">{title}</figcaption>
      <canvas
        ref={canvas}
        width={SIDE}
        height={SIDE}
        role="img"
        aria-label={label}
        className="aspect-square w-full rounded-control border border-line"
      />
    </figure>
  );
}
