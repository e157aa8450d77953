import { createRequire } from "node:module";
import sharp from "sharp";

const require = createRequire(import.meta.url);
/** The files of the figures' font. */
export const INTER = {
  Inter: require.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
  "Inter-SemiBold": require.resolve("@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf"),
};

let loaded: Promise<void> | undefined;

/**
 * Makes the font family Inter available to this process's SVG renderer. A bare server has no fonts at all, and labels
 * would be empty boxes. A font file passed to a text image is registered for the entire process, and SVG rendering then
 * finds it by name.
 */
export function loadFigureFonts(): Promise<void> {
  loaded ??= (async () => {
    for (const fontfile of Object.values(INTER)) {
      await sharp({ text: { text: "Stipple", font: "Inter", fontfile } })
        .png()
        .toBuffer();
    }
  })();
  return loaded;
}
