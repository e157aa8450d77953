import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PLATFORM_IDS, RESOLUTIONS, type PlatformId, type Resolution } from "@stipple/contract";
import { regionsGeoJson } from "@stipple/formats/geojson/write-regions";
import { analysisSettings } from "@stipple/pipeline/settings";
import { Option, type Command } from "commander";
import { givenFile } from "./given-file.ts";
import { outFolder } from "./out-folder.ts";

interface PiecesOptions {
  input: string;
  image?: string;
  platform: PlatformId;
  resolution?: Resolution;
  exclude?: string;
  alignment?: string;
  out?: string;
}

export function addPieces(program: Command): void {
  program
    .command("pieces")
    .description("find pieces of tissue that lie apart on a slide, to analyze each on its own")
    .requiredOption(
      "--input <dir>",
      "Space Ranger outs folder, or a folder with the sample's files",
    )
    .option("--image <file>", "full-resolution tissue image, if not in the input folder")
    .addOption(
      new Option("--platform <name>", "capture technology")
        .choices(PLATFORM_IDS)
        .makeOptionMandatory(),
    )
    .addOption(new Option("--resolution <um>", "bin size in µm").choices(RESOLUTIONS))
    .option("--exclude <file>", "regions (GeoJSON) whose spots are left out")
    .option("--alignment <file>", "where the spots belong on the image (JSON)")
    .option("--out <dir>", "folder for GeoJSON: all pieces, and each alone for analyze --crop")
    .action(pieces);
}

async function pieces(options: PiecesOptions): Promise<void> {
  const { findSampleFiles, lookForPieces } = await import("@stipple/pipeline/samples");
  const { platform, resolution } = options;
  const image = await givenFile(options.image, "--image");
  const excluded = await givenFile(options.exclude, "--exclude");
  const alignment = await givenFile(options.alignment, "--alignment");
  const files = await findSampleFiles(options.input, { platform, resolution, image });
  const settings = analysisSettings.parse({ platform, ...(resolution ? { resolution } : {}) });
  const signal = new AbortController().signal;
  const found = await lookForPieces({ ...files, excluded, alignment }, settings, signal);
  if (found.pieces.length === 0) {
    process.stdout.write("The tissue on this slide is one piece.\n");
    return;
  }
  const lines = found.pieces.map(
    ({ name, nSpots }) => `  ${name}: ${nSpots.toLocaleString("en-US")} ${found.noun}s\n`,
  );
  process.stdout.write(
    `${found.pieces.length} pieces of tissue lie apart on this slide:\n${lines.join("")}`,
  );
  if (options.out === undefined) return;
  const folder = outFolder(options.out);
  await writeFile(join(folder, "pieces.geojson"), regionsGeoJson(found.pieces));
  for (const [at, piece] of found.pieces.entries()) {
    await writeFile(join(folder, `piece-${at + 1}.geojson`), regionsGeoJson([piece]));
  }
  process.stdout.write(
    `Written to ${options.out}: pieces.geojson, and a file for each (stipple analyze --crop ${join(options.out, "piece-1.geojson")}).\n`,
  );
}
