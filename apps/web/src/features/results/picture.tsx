import { ImageOff } from "lucide-react";
import type { ReactNode } from "react";
import { errorText } from "../../app/api.ts";
import { joinClasses } from "../../components/join-classes.ts";
import { Skeleton } from "../../components/skeleton.tsx";
import { resultsTexts } from "./texts.ts";
import type { ResultImage } from "../../project/use-result-image.ts";

/** Roughly the aspect ratio of a figure with its legend. */
const ASPECT = "aspect-[4/5]";
/** `ASPECT` until the picture is decoded, then its own: a picture without a height would let the page jump. */
const OWN_ASPECT = "aspect-[auto_4/5]";
export const FRAME = "w-full overflow-hidden rounded-control border border-line bg-card";

/** A figure of the results with its caption, or its place while there is none. */
export function Picture({
  caption,
  alt,
  image,
  ready,
  fullImage,
}: {
  caption: string;
  alt: string;
  image: ResultImage;
  ready: boolean;
  /** Shown next to the caption once the image is there. */
  fullImage: ReactNode;
}) {
  return (
    <figure className="min-w-0">
      {image.url ? (
        <img src={image.url} alt={alt} className={joinClasses(FRAME, OWN_ASPECT)} />
      ) : ready && !image.error ? (
        <Skeleton className={joinClasses(ASPECT, "w-full")} />
      ) : (
        <div className="grid h-48 w-full place-items-center rounded-control border border-dashed border-line p-4 text-center text-ink-3">
          <span>
            <ImageOff aria-hidden className="mx-auto mb-2 size-6" />
            {image.error
              ? errorText(image.error, resultsTexts.imageFailed)
              : resultsTexts.imageMissing}
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
