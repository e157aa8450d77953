import { detection, type DetectionLook } from "@stipple/contract/routes/detection";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { detectionTexts as TEXTS } from "./texts.ts";
import { TileChoice } from "./tile-choice.tsx";
import { TilePicture } from "./tile-picture.tsx";

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
      <div className="flex flex-col items-start gap-3">
        <StatusMessage failed text={`Error: ${errorText(error, TEXTS.failed)}`} />
        <Button onClick={() => void refetch()}>{TEXTS.again}</Button>
      </div>
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
