import type { DetectionLook } from "@stipple/contract/routes/detection";
import { useMemo } from "react";
import { detectionTexts as TEXTS } from "./texts.ts";

/** The tile with the outlines that are found at a threshold. */
export function TilePicture({ look, step }: { look: DetectionLook; step: number }) {
  const { width_px: width, height_px: height, outlines, picture } = look;
  const paths = useMemo(() => outlines.map(({ xy }) => pathOf(xy)), [outlines]);
  const shown = paths
    .filter((_, at) => outlines[at]!.from <= step && step <= outlines[at]!.to)
    .join("");
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={TEXTS.tile}
      className="block w-full rounded-control border border-line bg-raised"
    >
      <image href={`data:image/webp;base64,${picture}`} {...{ width, height }} />
      {/* A light line around a colored one shows on any stain. */}
      {[
        ["#ffffff", 3],
        ["#047857", 1.5],
      ].map(([stroke, strokeWidth]) => (
        <path
          key={stroke}
          d={shown}
          fill="none"
          stroke={String(stroke)}
          strokeWidth={strokeWidth}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}

function pathOf(xy: readonly number[]): string {
  const corners: string[] = [];
  for (let at = 0; at < xy.length; at += 2) corners.push(`${xy[at]} ${xy[at + 1]}`);
  return `M${corners.join("L")}Z`;
}
