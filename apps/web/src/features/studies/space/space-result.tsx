import type { StudySpaceAnswer } from "@stipple/contract/routes/studies";
import { NO_TYPE, type StudyPoints } from "@stipple/contract/study-points";
import { useMemo, useState, useEffect, useRef } from "react";
import { Notice } from "../../../components/notice.tsx";
import { Segmented } from "../../../components/segmented.tsx";
import { Swatch } from "../../../components/swatch.tsx";
import type { Column } from "../../../components/table.tsx";
import { FoldedTable } from "../folded-table.tsx";
import { percentText } from "../figures.ts";
import {
  colorPoints,
  COLORINGS,
  type ColoredPoints,
  type Coloring,
  drawPoints,
} from "./color-points.ts";
import { SPACE_TEXTS as TEXTS } from "./texts.ts";

/** Pixels of a plot, for screens of any density. */
const SIDE = 900;

/** A joint space: what was found, both maps, and the clusters of each sample. */
export function SpaceResult({ space, points }: { space: StudySpaceAnswer; points: StudyPoints }) {
  const offered = COLORINGS.filter(
    (by) =>
      (by !== "type" || space.types.length > 0) &&
      (by !== "condition" || space.conditions.length > 1),
  );
  const [asked, setAsked] = useState<Coloring>("sample");
  const by = offered.includes(asked) ? asked : "sample";
  const colored = useMemo(() => colorPoints(space, points, by), [space, points, by]);
  const hasNone = by === "type" && points.type.includes(NO_TYPE);
  return (
    <div className="space-y-4 px-4 pb-4 md:px-6">
      {space.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      <div className="space-y-1">
        {space.summary.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <div className="max-w-md">
        <Segmented
          label={TEXTS.colorBy}
          names={TEXTS.colorings}
          choices={offered}
          value={by}
          onChange={setAsked}
        />
      </div>
      <Legend colored={colored} hasNone={hasNone} />
      {by === "type" && <p className="text-ink-2">{TEXTS.computedTypes}</p>}
      <div className="grid gap-4 md:grid-cols-2">
        {(["before", "after"] as const).map((key) => (
          <SpacePlot
            key={key}
            xy={points[key]}
            colored={colored}
            title={TEXTS[key]}
            label={TEXTS.plot(TEXTS[key], points.cluster.length, TEXTS.colorings[by])}
          />
        ))}
      </div>
      <ClusterTable space={space} />
    </div>
  );
}

function Legend({ colored, hasNone }: { colored: ColoredPoints; hasNone: boolean }) {
  const entries = [...colored.legend, ...(hasNone ? [{ name: TEXTS.none, color: "#969696" }] : [])];
  return (
    <ul aria-label={TEXTS.legend} className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
      {entries.map(({ name, color }, at) => (
        // A type may be called like "None".
        <li key={at} className="flex items-center gap-1.5">
          <Swatch color={color} className="size-3 rounded-full" />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Each sample's shares of the joint clusters. */
function ClusterTable({ space: { samples, clusters } }: { space: StudySpaceAnswer }) {
  const rows = clusters.map((cluster, at) => ({ name: `${at}`, counts: cluster.samples }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { header: TEXTS.colorings.cluster, className: "font-medium", cell: ({ name }) => name },
    ...samples.map(({ name, points }, at) => ({
      header: name,
      align: "right" as const,
      cell: ({ counts }: (typeof rows)[number]) => percentText((counts[at] ?? 0) / points),
    })),
  ];
  return (
    <div className="-mx-4 md:-mx-6">
      <h3 className="px-4 pt-2 pb-3 font-semibold md:px-6">{TEXTS.clusters}</h3>
      <FoldedTable
        caption={TEXTS.clusters}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
      />
    </div>
  );
}

/** All points of a joint space. */
function SpacePlot({
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
