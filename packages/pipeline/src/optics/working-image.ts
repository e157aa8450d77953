import type { ImageFacts } from "../facts.ts";
import { AS_STORED, openImageSource, type ImageSource } from "../readers/images/image-source.ts";
import { openTissueImage } from "../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../readers/images/tissue-image.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import type { StepContext } from "../step.ts";

/** The image described by `sample/image`, as the user provided it; null if the sample has none. */
export function imageSource(facts: ImageFacts, files: SampleFiles): ImageSource | null {
  const path = {
    microscope: files.image,
    hires: files.hires,
    lowres: files.lowres,
    none: null,
  }[facts.source];
  if (path === null) return null;
  const channelFiles = facts.source === "microscope" ? files.channelFiles : null;
  return { path, channelFiles, reading: facts.reading ?? AS_STORED };
}

/** Opens the user's own image, with the channel names of `sample/image`. */
export async function openSampleImage(
  source: ImageSource,
  facts: ImageFacts,
): Promise<TissueImage> {
  return named(await openImageSource(source), facts);
}

/**
 * Opens the image to read regions from, for steps after the second: the tiled copy if there is one, otherwise the
 * image itself; null if the sample has none. Both have the same size in pixels. An image that is not to be read as it is
 * stored always has a copy that is, so the result's path shows the same image to everyone. The step must declare
 * `sample/image`, `image/working_copy`, and the three inputs that may be the image.
 */
export async function openWorkingImage({
  files,
  read,
}: Pick<StepContext, "files" | "read">): Promise<TissueImage | null> {
  const facts = await read("sample/image");
  const [copy] = await read("image/working_copy");
  if (copy !== undefined) return named(await openTissueImage(copy), facts);
  const source = imageSource(facts, files);
  return source && openSampleImage(source, facts);
}

function named(image: TissueImage, { channelNames }: ImageFacts): TissueImage {
  if (channelNames?.length === image.channels) image.channelNames = channelNames;
  return image;
}
