import { INPUT_IMAGE, OUTPUT_IMAGE } from "@stipple/contract/routes/results";
import {
  ArrowDown,
  ArrowRight,
  Columns2,
  ImageOff,
  MoveHorizontal,
  SquareSplitHorizontal,
} from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { joinClasses } from "../../components/join-classes.ts";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { resultsTexts } from "../../texts/analysis.ts";
import { FullImageButton } from "./full-image-button.tsx";
import { useResultImage } from "./use-result-image.ts";

/**
 * The spot-based input and the cell-based output, joined by an arrow or overlaid. `version` is undefined until there
 * are results.
 */
export function Transformation({
  projectId,
  version,
}: {
  projectId: string;
  version: string | null | undefined;
}) {
  const input = useResultImage(projectId, INPUT_IMAGE, version);
  const output = useResultImage(projectId, OUTPUT_IMAGE, version);
  const [comparing, setComparing] = useState(false);
  const ready = version !== undefined;
  const canCompare = input.url !== undefined && output.url !== undefined;
  const fullImage = (path: string, caption: string) => (
    <FullImageButton projectId={projectId} path={path} version={version} caption={caption} />
  );
  return (
    <Card
      title={resultsTexts.imagesTitle}
      actions={
        <div role="group" aria-label="Layout of the images" className="flex gap-1">
          <Button
            size="sm"
            variant={comparing ? "ghost" : "secondary"}
            aria-pressed={!comparing}
            icon={<Columns2 aria-hidden className="size-4" />}
            onClick={() => setComparing(false)}
          >
            {resultsTexts.sideBySide}
          </Button>
          <Button
            size="sm"
            variant={comparing ? "secondary" : "ghost"}
            aria-pressed={comparing}
            disabled={!canCompare}
            icon={<SquareSplitHorizontal aria-hidden className="size-4" />}
            onClick={() => setComparing(true)}
          >
            {resultsTexts.compare}
          </Button>
        </div>
      }
    >
      {(input.failed || output.failed) && (
        <StatusMessage className="mb-4" text={resultsTexts.imagesFailed} />
      )}
      {comparing && input.url && output.url ? (
        <Compare before={input.url} after={output.url} />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
          <Picture
            caption={resultsTexts.inputImage}
            alt={resultsTexts.inputAlt}
            image={input}
            ready={ready}
            fullImage={fullImage(INPUT_IMAGE, resultsTexts.inputImage)}
          />
          <p className="flex flex-col items-center gap-1 self-center text-[0.8125rem] font-medium text-ink-3">
            <ArrowDown aria-hidden className="size-5 text-primary lg:hidden" />
            <ArrowRight aria-hidden className="hidden size-5 text-primary lg:block" />
            {resultsTexts.transformation}
          </p>
          <Picture
            caption={resultsTexts.outputImage}
            alt={resultsTexts.outputAlt}
            image={output}
            ready={ready}
            fullImage={fullImage(OUTPUT_IMAGE, resultsTexts.outputImage)}
          />
        </div>
      )}
    </Card>
  );
}

/** Roughly the aspect ratio of a figure with its legend. */
const ASPECT = "aspect-[4/5]";
/** The same until the picture is decoded, then its own: a picture without a height would let the page jump. */
const OWN_ASPECT = "aspect-[auto_4/5]";
const FRAME = "w-full overflow-hidden rounded-control border border-line bg-card";

function Picture({
  caption,
  alt,
  image,
  ready,
  fullImage,
}: {
  caption: string;
  alt: string;
  image: { url: string | undefined; failed: boolean };
  ready: boolean;
  /** Shown next to the caption once the image is there. */
  fullImage: ReactNode;
}) {
  return (
    <figure className="min-w-0">
      {image.url ? (
        <img src={image.url} alt={alt} className={joinClasses(FRAME, OWN_ASPECT)} />
      ) : ready && !image.failed ? (
        <Skeleton className={joinClasses(ASPECT, "w-full")} />
      ) : (
        <div
          className={joinClasses(
            ASPECT,
            "grid w-full place-items-center rounded-control border border-dashed border-line p-4 text-center text-ink-3",
          )}
        >
          <span>
            <ImageOff aria-hidden className="mx-auto mb-2 size-6" />
            {resultsTexts.imageMissing}
          </span>
        </div>
      )}
      <figcaption className="mt-2 flex min-h-6 justify-between gap-3 text-[0.8125rem]">
        <span className="font-medium">{caption}</span>
        {image.url && fullImage}
      </figcaption>
    </figure>
  );
}

/** Both images in one place; the slider moves the border between them. */
function Compare({ before, after }: { before: string; after: string }) {
  const [percent, setPercent] = useState(50);
  return (
    <figure className="mx-auto max-w-3xl">
      <div className={joinClasses(FRAME, "relative grid items-start select-none")}>
        {/* Both are as wide as the frame, with the tissue in the same place; a longer legend makes one of them
            taller. */}
        <img
          src={before}
          alt={resultsTexts.inputAlt}
          className="w-full [grid-area:1/1]"
          style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}
        />
        <img
          src={after}
          alt={resultsTexts.outputAlt}
          className="w-full [grid-area:1/1]"
          style={{ clipPath: `inset(0 0 0 ${percent}%)` }}
        />
        {/* The slider covers the whole picture, so that it can be dragged from anywhere. */}
        <input
          type="range"
          min={0}
          max={100}
          step={0.5}
          value={percent}
          aria-label={resultsTexts.compareLabel}
          aria-valuetext={`${Math.round(percent)}%`}
          onChange={(event) => setPercent(Number(event.target.value))}
          className="peer absolute inset-0 size-full cursor-ew-resize touch-pan-y opacity-0"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-[#4338a8] outline-offset-2 peer-focus-visible:outline-2 peer-focus-visible:outline-[#4338a8]"
          style={{ left: `${percent}%` }}
        >
          <span className="absolute top-1/2 left-1/2 grid size-10 -translate-1/2 place-items-center rounded-full border-2 border-white bg-[#4338a8] text-white shadow-md">
            <MoveHorizontal className="size-5" />
          </span>
        </span>
      </div>
      <figcaption className="mt-1 flex justify-between text-[0.8125rem] text-ink-2">
        <span>{resultsTexts.inputImage}</span>
        <span>{resultsTexts.outputImage}</span>
      </figcaption>
    </figure>
  );
}
