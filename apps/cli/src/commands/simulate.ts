import { DEFAULT_PLATFORM, PLATFORM_IDS, platformById, type PlatformId } from "@stipple/contract";
import { Option, type Command } from "commander";
import { numberBetween, seedOption } from "./number-option.ts";
import { outFolder } from "./out-folder.ts";

interface SimulateOptions {
  out: string;
  seed: number;
  sizeUm?: number;
  umPerPx?: number;
  morphology?: number;
  species?: "human" | "mouse";
  platform?: PlatformId;
  staining?: "h_and_e" | "if";
  genes?: number;
  cellDensity?: number;
  umiPerSpot?: number;
  bleed?: number;
  fineBins?: boolean;
  imageDifficulty?: number;
}

export function addSimulate(program: Command): void {
  program
    .command("simulate")
    .description("simulate a tissue with known cells: input files, image, and ground truth")
    .requiredOption("--out <dir>", "output folder")
    .option("--seed <n>", "seed; the same seed gives the same tissue", seedOption, 1)
    .option("--size-um <um>", "side of the square image (default 1200)", numberBetween(300, 7000))
    .option("--um-per-px <um>", "size of a pixel (default 0.5)", numberBetween(0.2, 1))
    .option(
      "--morphology <degree>",
      "how much a cell's appearance reveals its type, 0-1 (default 1)",
      numberBetween(0, 1),
    )
    .addOption(
      new Option("--species <name>", "human (default) or mouse").choices(["human", "mouse"]),
    )
    .addOption(
      new Option(
        "--platform <name>",
        `capture technology (default ${DEFAULT_PLATFORM}), with all its bin sizes if it has bins`,
      ).choices(PLATFORM_IDS),
    )
    .addOption(
      new Option("--staining <name>", "h_and_e (default), or if (immunofluorescence)").choices([
        "h_and_e",
        "if",
      ]),
    )
    .option(
      "--genes <n>",
      "number of genes (default 800); above 1000, a whole transcriptome with mostly rare genes",
      numberBetween(200, 20_000, "whole"),
    )
    .option("--cell-density <n>", "cells per mm² (default 4200)", numberBetween(200, 9000))
    .option(
      "--umi-per-spot <n>",
      "mean counts of a spot (default 6000) or an 8 µm bin (default 120)",
      numberBetween(5, 100_000),
    )
    .option(
      "--bleed <fraction>",
      "fraction of counts from outside the spot (default 0.25)",
      numberBetween(0, 0.9),
    )
    .option(
      "--image-difficulty <degree>",
      "how hard nuclei are to see: 0 for a clean image (default), 1 as in real sections",
      numberBetween(0, 1),
    )
    .option("--fine-bins", "also write the 2 µm bins (platforms with bins only)")
    .action(simulate);
}

async function simulate(options: SimulateOptions): Promise<void> {
  const { simulateTissue } = await import("@stipple/tissue");
  const startedAt = performance.now();
  const { out, morphology, genes, ...others } = options;
  const given = { ...others, morphologyInformative: morphology, nGenes: genes };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const tissue = await simulateTissue({ out: outFolder(out), ...set });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const { id, spotNoun, resolutions } = platformById(tissue.options.platform);
  const [finest] = resolutions;
  const how = finest === undefined ? id : `${id} --resolution ${finest}`;
  const spots = finest === undefined ? `${spotNoun}s` : `${finest} µm ${spotNoun}s`;
  process.stdout.write(
    `Simulated ${tissue.nCells} cells under ${tissue.nSpots} ${spots} with ${tissue.nGenes} genes in ${seconds} s.\n` +
      `Sample files and image: ${tissue.outs}\nTruth: ${tissue.truth}\n` +
      `Analyze it with: stipple analyze --input ${out} --platform ${how} --staining ${tissue.options.staining} --out RESULTS\n`,
  );
}
