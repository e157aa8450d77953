import * as z from "zod";
import { networkOptions } from "./network-options.ts";
import { nucleusOptions } from "./nucleus-options.ts";

/** Method of finding nuclei, and the settings of each method. */
export const finderParams = z.strictObject({
  method: z.enum(["network", "classical"]).default("network"),
  network: networkOptions.default(networkOptions.parse({})),
  classical: nucleusOptions.default(nucleusOptions.parse({})),
});
export type FinderParams = z.infer<typeof finderParams>;
