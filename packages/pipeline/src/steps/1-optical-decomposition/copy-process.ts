import sharp from "sharp";

/** Task that {@link copyInProcess} sends to this process. */
export interface CopyTask {
  from: string;
  /** Where the image is in a file of several pages. */
  place: { page: number; subifd: number };
  to: string;
  /** Factor applied to 16-bit values before conversion to 8-bit; null for 8-bit images. */
  gain: number | null;
  gray: boolean;
}

/** Runs in a separate process because libvips cannot be stopped; the process is killed instead. */
process.once("message", (task: CopyTask) => {
  void copy(task).then(
    () => process.send?.({ done: true }, () => process.disconnect()),
    (error: unknown) =>
      process.send?.({ error: error instanceof Error ? error.message : String(error) }, () =>
        process.disconnect(),
      ),
  );
});
process.once("disconnect", () => process.exit());

async function copy({ from, place, to, gain, gray }: CopyTask): Promise<void> {
  let image = sharp(from, { limitInputPixels: false, failOn: "error", ...place }).flatten({
    background: "#ffffff",
  });
  if (gain !== null) image = image.pipelineColourspace("rgb16").linear(gain);
  await image
    .toColourspace(gray ? "b-w" : "srgb")
    .tiff({
      tile: true,
      tileWidth: 512,
      tileHeight: 512,
      pyramid: true,
      bigtiff: true,
      compression: "jpeg",
      quality: 95,
    })
    .toFile(to);
}
