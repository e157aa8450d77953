import type { Affine } from "@stipple/contract/affine";
import { moved } from "@stipple/contract/affine";
import type { Landmark, RegistrationLook } from "@stipple/contract/routes/registration";
import { useMemo, type MouseEvent } from "react";
import { registrationTexts as TEXTS } from "./texts.ts";

/** Spots are drawn at least this share of the picture's width wide. */
const MIN_WIDTH = 1 / 500;

/** The reduced image with the spots over it where `map` puts them; a click tells its place in full-resolution px. */
export function SpotPicture({
  look,
  map,
  opacity,
  zoom,
  landmarks,
  chosen,
  onPlace,
}: {
  look: RegistrationLook;
  map: Affine;
  opacity: number;
  zoom: number;
  landmarks: readonly Landmark[];
  /** A spot whose place is to be chosen next. */
  chosen: [number, number] | null;
  onPlace: (place: [number, number]) => void;
}) {
  const { width_px: width, height_px: height } = look;
  const radius = Math.max(look.spot_size_um / look.microns_per_pixel / 2, (width * MIN_WIDTH) / 2);
  const spots = useMemo(() => circles(look.spots, radius), [look.spots, radius]);
  const mark = (width * 8) / 1000 / zoom;
  const [a, b, c, d, e, f] = map;

  function place({ currentTarget, clientX, clientY }: MouseEvent<SVGSVGElement>): void {
    const box = currentTarget.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * width;
    const y = ((clientY - box.top) / box.height) * height;
    onPlace([Math.round(10 * x) / 10, Math.round(10 * y) / 10]);
  }

  return (
    <div
      className="max-h-[75vh] overflow-auto rounded-control border border-line bg-raised"
      tabIndex={0}
      role="region"
      aria-label={TEXTS.picture(look.picture_file)}
    >
      <svg
        viewBox={`0 0 ${width} ${height}`}
        style={{ width: `${100 * zoom}%` }}
        className="block cursor-crosshair"
        role="img"
        aria-label={TEXTS.picture(look.picture_file)}
        onClick={place}
      >
        <image
          href={`data:image/webp;base64,${look.picture}`}
          width={width}
          height={height}
          preserveAspectRatio="none"
        />
        <path
          d={spots}
          transform={`matrix(${a} ${d} ${b} ${e} ${c} ${f})`}
          fill="#1d4ed8"
          fillOpacity={opacity}
        />
        <Landmarks landmarks={landmarks} map={map} mark={mark} />
        {chosen && (
          <circle
            cx={moved(map, ...chosen)[0]}
            cy={moved(map, ...chosen)[1]}
            r={Math.max(1.5 * mark, radius)}
            fill="none"
            stroke="#facc15"
            strokeWidth={mark / 2}
          />
        )}
      </svg>
    </div>
  );
}

/** Each landmark at its place, numbered, with a line from where the map puts its spot. `mark`: size of a point, px. */
function Landmarks({
  landmarks,
  map,
  mark,
}: {
  landmarks: readonly Landmark[];
  map: Affine;
  mark: number;
}) {
  return landmarks.map(({ from, to }, at) => {
    const [x, y] = moved(map, ...from);
    return (
      <g key={at} stroke="#000" strokeWidth={mark / 4}>
        <line x1={x} y1={y} x2={to[0]} y2={to[1]} stroke="#facc15" strokeWidth={mark / 2} />
        <circle cx={to[0]} cy={to[1]} r={mark} fill="#facc15" />
        <text
          x={to[0] + 1.5 * mark}
          y={to[1] - 0.8 * mark}
          fontSize={3 * mark}
          fill="#facc15"
          paintOrder="stroke"
          strokeWidth={mark / 2}
        >
          {at + 1}
        </text>
      </g>
    );
  });
}

/** One path of circles around points. */
function circles(xy: readonly number[], radius: number): string {
  const r = radius.toFixed(1);
  const parts: string[] = [];
  for (let i = 0; i < xy.length; i += 2) {
    parts.push(
      `M${(xy[i]! - radius).toFixed(1)} ${xy[i + 1]!.toFixed(1)}a${r} ${r} 0 1 0 ${(2 * radius).toFixed(1)} 0a${r} ${r} 0 1 0 ${(-2 * radius).toFixed(1)} 0`,
    );
  }
  return parts.join("");
}
