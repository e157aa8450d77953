import type { ImageFacts } from "../../facts.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";

/** Path of the image that `sample/image` describes; null when the sample has none. */
export function tissueSource(facts: ImageFacts, files: SampleFiles): string | null {
  switch (facts.source) {
    case "microscope":
      return files.image;
    case "hires":
      return files.hires;
    case "lowres":
      return files.lowres;
    case "none":
      return null;
  }
}
