import { createRequire } from "node:module";
import sharp from "sharp";

const require = createRequire(import.meta.url);
const FILES = [
  "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf",
  "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf",
];

let loaded: Promise<void> | undefined;

/**
 * Makes the font family Inter known to the SVG renderer of this process.
 * A bare server has no fonts at all, and its labels would be empty boxes. A font file given to a text image is
 * registered for the whole process, and SVG rendering then finds it by its name.
 */
export function loadFigureFonts(): Promise<void> {
  loaded ??= (async () => {
    for (const file of FILES) {
      await sharp({ text: { text: "Stipple", font: "Inter", fontfile: require.resolve(file) } })
        .png()
        .toBuffer();
    }
  })();
  return loaded;
}
