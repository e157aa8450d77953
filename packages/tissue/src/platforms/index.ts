import { join } from "node:path";
import type { PlatformId } from "@stipple/contract";
import { hdArray, mergeBins } from "../capture/hd-arrays.ts";
import { fineBins } from "../capture/fine-bins.ts";
import { visiumArray } from "../capture/visium-array.ts";
import type { PlatformSimulator } from "./platform-simulator.ts";
import { spaceRangerFiles } from "./space-ranger.ts";
import { stSimulator } from "./st.ts";

/** How each platform in the contract would measure a tissue. */
export const SIMULATORS: { readonly [Id in PlatformId]: PlatformSimulator } = {
  visium: { defaults: {}, array: visiumArray, ...spaceRangerFiles((out) => out) },
  hd_visium: {
    // RNA is captured in 8 µm bins.
    defaults: { bleedLengthUm: 8, umiPerSpot: 120, spotEfficiencyCv: 0.08 },
    array: hdArray,
    sums: ({ array, counts }) => [mergeBins(array, counts)],
    finest: ({ array, counts }, rates, options) => fineBins(array, counts, rates, options),
    ...spaceRangerFiles((out, array) => join(out, "binned_outputs", array.name)),
  },
  st: stSimulator,
};
