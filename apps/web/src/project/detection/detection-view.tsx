import { detection, type DetectionLook } from "@stipple/contract/routes/detection";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState, type MouseEvent } from "react";
import { api, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { LoadFailure } from "../../components/load-failure.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { detectionTexts as TEXTS } from "./texts.ts";
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from "lucide-react";
import { IconButton } from "../../components/icon-button.tsx";

const MOVES = [
  { way: "left", icon: ArrowLeft, dx: -1, dy: 0 },
  { way: "up", icon: ArrowUp, dx: 0, dy: -1 },
  { way: "down", icon: ArrowDown, dx: 0, dy: 1 },
  { way: "right", icon: ArrowRight, dx: 1, dy: 0 },
] as const;

/** A tile with the nuclei that are found at the threshold, which a slider moves; the server is asked once per tile. */
export function DetectionView({
  projectId,
  usual,
  value,
  onChange,
}: {
  projectId: string;
  usual: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const [place, setPlace] = useState<readonly [number, number] | null>(null);
  const at = place?.map(Math.round).join();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["detection", projectId, at ?? ""],
    queryFn: ({ signal }) =>
      api(detection, { params: { id: projectId }, query: at === undefined ? {} : { at }, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    retry: false,
    staleTime: 0,
  });
  if (error && !isFetching) {
    return (
      <LoadFailure
        text={`Error: ${errorText(error, TEXTS.failed)}`}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data?.fault) return <Notice tone="info">{data.fault}</Notice>;
  if (!data?.look) {
    return (
      <div role="status">
        <span className="text-ink-2">{TEXTS.loading}</span>
        <Skeleton className="mt-2 h-80" />
      </div>
    );
  }
  const { look } = data;
  const step = nearest(look.thresholds, value);
  return (
    <div className="grid gap-5 md:grid-cols-[minmax(0,1fr)_13rem]" aria-busy={isFetching}>
      <TilePicture look={look} step={step} />
      <div className="flex flex-col gap-4">
        <Threshold look={look} step={step} usual={usual} onChange={onChange} />
        <TileChoice look={look} busy={isFetching} onPlace={setPlace} />
        <p role="status" className="text-[0.8125rem] text-ink-2">
          {isFetching && TEXTS.loading}
        </p>
      </div>
    </div>
  );
}

function Threshold({
  look: { thresholds, outlines, width_px, height_px, microns_per_pixel },
  step,
  usual,
  onChange,
}: {
  look: DetectionLook;
  step: number;
  usual: number;
  onChange: (value: number) => void;
}) {
  const id = useId();
  const count = outlines.filter(({ from, to }) => from <= step && step <= to).length;
  const mm2 = (width_px * height_px * microns_per_pixel ** 2) / 1e6;
  const threshold = thresholds[step]!;
  return (
    <div>
      <label htmlFor={id} className="flex justify-between gap-2 font-medium">
        {TEXTS.threshold}
        <output className="tabular-nums">{TEXTS.value(threshold, usual)}</output>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={thresholds.length - 1}
        value={step}
        aria-valuetext={TEXTS.value(threshold, usual)}
        className="mt-1 w-full accent-primary"
        onChange={({ currentTarget }) => onChange(thresholds[Number(currentTarget.value)]!)}
      />
      <p role="status" className="mt-1 tabular-nums">
        {TEXTS.count(count, count / mm2)}
      </p>
      <p className="mt-1 text-[0.8125rem] text-ink-2">
        {TEXTS.lower}. {TEXTS.hint}
      </p>
    </div>
  );
}

function nearest(thresholds: readonly number[], value: number): number {
  return thresholds.reduce(
    (best, one, at) => (Math.abs(one - value) < Math.abs(thresholds[best]! - value) ? at : best),
    0,
  );
}

/** Where in the image the tile is; null = the densest tissue. */
function TileChoice({
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

/** The tile with the outlines that are found at a threshold. */
function TilePicture({ look, step }: { look: DetectionLook; step: number }) {
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
