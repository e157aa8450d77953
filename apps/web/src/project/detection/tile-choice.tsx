import type { DetectionLook } from "@stipple/contract/routes/detection";
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from "lucide-react";
import type { MouseEvent } from "react";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { detectionTexts as TEXTS } from "./texts.ts";

const MOVES = [
  { way: "left", icon: ArrowLeft, dx: -1, dy: 0 },
  { way: "up", icon: ArrowUp, dx: 0, dy: -1 },
  { way: "down", icon: ArrowDown, dx: 0, dy: 1 },
  { way: "right", icon: ArrowRight, dx: 1, dy: 0 },
] as const;

/** Where in the image the tile is; null = the densest tissue. */
export function TileChoice({
  look,
  busy,
  onPlace,
}: {
  look: DetectionLook;
  busy: boolean;
  onPlace: (middle: readonly [number, number] | null) => void;
}) {
  const { image_width_px: width, image_height_px: height, x, y } = look;
  const [w, h] = [look.width_px, look.height_px];

  function click({ currentTarget, clientX, clientY }: MouseEvent<SVGSVGElement>): void {
    const box = currentTarget.getBoundingClientRect();
    onPlace([
      ((clientX - box.left) / box.width) * width,
      ((clientY - box.top) / box.height) * height,
    ]);
  }

  return (
    <div role="group" aria-label={TEXTS.place} className="flex flex-col gap-2">
      {look.overview !== null && (
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={TEXTS.overview}
          className="block max-h-52 w-full cursor-pointer rounded-control border border-line bg-raised"
          onClick={click}
        >
          <image href={`data:image/webp;base64,${look.overview}`} {...{ width, height }} />
          <rect
            {...{ x, y, width: w, height: h }}
            fill="#facc15"
            fillOpacity={0.4}
            stroke="#000000"
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      )}
      <div className="flex flex-wrap items-center gap-y-1">
        {MOVES.map(({ way, icon, dx, dy }) => {
          const [u, v] = [x + w * (0.5 + dx), y + h * (0.5 + dy)];
          return (
            <IconButton
              key={way}
              icon={icon}
              label={TEXTS.moves[way]}
              disabled={busy || u < 0 || v < 0 || u > width || v > height}
              onClick={() => onPlace([u, v])}
            />
          );
        })}
        <Button size="sm" disabled={busy} onClick={() => onPlace(null)}>
          {TEXTS.densest}
        </Button>
      </div>
    </div>
  );
}
