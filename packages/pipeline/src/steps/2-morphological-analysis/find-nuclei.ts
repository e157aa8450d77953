import { release } from "@stipple/numerics/release";
import { throwIfLeft } from "@stipple/tasks/left-task";
import { meanOfViews } from "../../nuclei/mean-of-views.ts";
import { networkInput, type BrightnessRange } from "../../nuclei/network-input.ts";
import type { NetworkOptions } from "./network-options.ts";
import { nucleiFromMaps } from "./nuclei-from-maps.ts";
import {
  openNucleusNetwork,
  type NucleusMaps,
  type NucleusNetwork,
} from "../../nuclei/nucleus-network.ts";
import type { Nuclei } from "./nuclei.ts";
import type { StainPlanes } from "./stain-planes.ts";

/** The network that finds nuclei, and its settings; can be sent to a worker thread. */
export interface NucleusFinder {
  method: "network";
  weights: string;
  brightness: BrightnessRange;
  options: NetworkOptions;
}

let opened: { weights: string; network: Promise<NucleusNetwork> } | null = null;

/** Finds the nuclei in a tile. Each thread opens the network once. O(pixels). */
export async function findNuclei(
  finder: NucleusFinder,
  stains: StainPlanes,
  { width, height }: { width: number; height: number },
  umPerPx: number,
): Promise<Nuclei> {
  const maps = await mapsOf(finder, stains, width, height);
  throwIfLeft();
  const nuclei = nucleiFromMaps(maps, width, height, finder.options, umPerPx);
  for (const map of [maps.probability, maps.distance, maps.offsetX, maps.offsetY]) release(map);
  return nuclei;
}

/** The network's output for a tile. */
export async function mapsOf(
  finder: NucleusFinder,
  stains: StainPlanes,
  width: number,
  height: number,
): Promise<NucleusMaps> {
  if (opened?.weights !== finder.weights) {
    opened = { weights: finder.weights, network: openNucleusNetwork(finder.weights) };
  }
  const input = networkInput(stains, width, height, finder.brightness);
  const network = await opened.network;
  // Check only now that the network is open: ending a thread inside native code would crash the process.
  throwIfLeft();
  const maps = await meanOfViews(network, input, finder.options.views, throwIfLeft);
  release(input.data);
  return maps;
}
