import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

/**
 * Where the live example stands: turned off by the operator; none yet; being prepared, with the seconds left once they are
 * known; or ready, with the address of its view, which works for half a day.
 */
const liveExampleState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("off") }),
  z.object({ state: z.literal("none") }),
  z.object({ state: z.literal("preparing"), seconds_left: z.nullable(z.number()) }),
  z.object({ state: z.literal("ready"), url: z.string() }),
]);
export type LiveExampleState = z.infer<typeof liveExampleState>;

export const lookLiveExample = defineRoute("GET", "/live_example", "public", {
  summary:
    "Whether there is a live example, the sample dataset's results for anyone to view, and where.",
  answers: { 200: liveExampleState },
});

export const askLiveExample = defineRoute("POST", "/live_example", "public", {
  summary:
    "Asks for the live example: makes it if there is none, at low priority and only once. 202 while it is being prepared.",
  answers: { 200: liveExampleState, 202: liveExampleState },
});
