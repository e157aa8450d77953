import type { ImageFacts } from "../facts.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import type { StepContext } from "../step.ts";

/** Path of the image described by `sample/image`, as the user provided it; null if the sample has none. */
export function sourceImagePath(facts: ImageFacts, files: SampleFiles): string | null {
  const paths = {
    microscope: files.image,
    hires: files.hires,
    lowres: files.lowres,
    none: null,
  };
  return paths[facts.source];
}

/**
 * Path of the image to read regions from, for steps after the second: the tiled copy if there is one, otherwise the
 * image itself; null if the sample has none. Both have the same size in pixels. The step must declare `sample/image`,
 * `image/working_copy`, and the three inputs that may be the image.
 */
export async function workingImagePath({
  files,
  read,
}: Pick<StepContext, "files" | "read">): Promise<string | null> {
  const [copy] = await read("image/working_copy");
  return copy ?? sourceImagePath(await read("sample/image"), files);
}
