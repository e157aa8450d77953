import { useState } from "react";
import { joinClasses } from "../../components/join-classes.ts";
import type { FigurePart } from "@stipple/contract/figure-parts";

/**
 * Part of a picture, as wide as its place and in its own proportions: a box in fractions of the picture's sides.
 */
export function Cropped({
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
