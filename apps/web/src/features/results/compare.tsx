import type { FigurePart, FigureParts } from "@stipple/contract/figure-parts";
import { MoveHorizontal } from "lucide-react";
import { useState } from "react";
import { joinClasses } from "../../components/join-classes.ts";
import { resultsTexts } from "./texts.ts";
import { FRAME } from "./picture.tsx";
import type { ResultImage } from "../../project/use-result-image.ts";

const WHOLE: FigurePart = { left: 0, top: 0, width: 1, height: 1 };

/** The strip below the tissue with the scale bar. */
function scaleBarPart({ tissue, key }: FigureParts): FigurePart {
  const top = tissue.top + tissue.height;
  const bottom = key.top > top ? key.top : 1;
  // A little lower, so that no rounding shows the tissue's edge.
  const gap = 0.05 * (bottom - top);
  return { left: tissue.left, top: top + gap, width: tissue.width, height: bottom - top - gap };
}

/**
 * Both images in one place; the slider moves the border between them. Only the tissue is cut, which is at the same
 * place in both; each figure's key is shown in full. Figures that do not say where their tissue is are cut as a whole.
 */
export function Compare({ before, after }: { before: ResultImage; after: ResultImage }) {
  const [percent, setPercent] = useState(50);
  const sides = [
    {
      image: before,
      name: resultsTexts.inputImage,
      alt: resultsTexts.inputAlt,
      clip: `inset(0 ${100 - percent}% 0 0)`,
    },
    {
      image: after,
      name: resultsTexts.outputImage,
      alt: resultsTexts.outputAlt,
      clip: `inset(0 0 0 ${percent}%)`,
    },
  ];
  const knowsParts = before.parts !== undefined && after.parts !== undefined;
  return (
    <div className="mx-auto max-w-3xl">
      <div className={joinClasses(FRAME, "relative grid items-start select-none")}>
        {sides.map(({ image, name, alt, clip }) => (
          <div key={name} className="[grid-area:1/1]" style={{ clipPath: clip }}>
            <Cropped url={image.url!} alt={alt} box={knowsParts ? image.parts!.tissue : WHOLE} />
          </div>
        ))}
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
      {knowsParts && (
        // As wide as the tissue above, so that it is true.
        <Cropped
          url={before.url!}
          alt={resultsTexts.scaleBarAlt}
          box={scaleBarPart(before.parts!)}
          className="mx-px"
        />
      )}
      <div className="mt-2 grid items-start gap-x-6 gap-y-4 sm:grid-cols-2">
        {sides.map(({ image, name }) => (
          <figure key={name} className="min-w-0">
            <figcaption className="text-[0.8125rem] font-medium">{name}</figcaption>
            {knowsParts && (
              <Cropped
                url={image.url!}
                alt={resultsTexts.keyAlt(name)}
                box={image.parts!.key}
                className="mt-2"
              />
            )}
          </figure>
        ))}
      </div>
    </div>
  );
}

/**
 * Part of a picture, as wide as its place and in its own proportions: a box in fractions of the picture's sides.
 */
function Cropped({
  url,
  alt,
  box,
  className,
}: {
  url: string;
  alt: string;
  box: FigurePart;
  className?: string;
}) {
  // Known once the picture is decoded.
  const [ratio, setRatio] = useState<number>();
  return (
    <div
      className={joinClasses("relative overflow-hidden", className)}
      style={{ aspectRatio: ratio ? (ratio * box.width) / box.height : 1 }}
    >
      <img
        src={url}
        alt={alt}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setRatio(naturalWidth / naturalHeight)
        }
        className="absolute max-w-none"
        style={{
          width: `${100 / box.width}%`,
          left: `${(-100 * box.left) / box.width}%`,
          top: `${(-100 * box.top) / box.height}%`,
        }}
      />
    </div>
  );
}
