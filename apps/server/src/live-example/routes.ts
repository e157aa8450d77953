import { askLiveExample, lookLiveExample } from "@stipple/contract";
import type { LiveExample } from "./live-example.ts";
import type { Mount } from "../http/route-adapter.ts";

/** Per minute and address. Looking is repeated while an example is being prepared. */
const LOOKS = { max: 240, timeWindow: "1 minute" };
const ASKS = { max: 60, timeWindow: "1 minute" };

export function liveExampleRoutes(
  mount: Mount,
  { liveExample }: { liveExample: LiveExample },
): void {
  mount(lookLiveExample, async () => ({ status: 200, body: await liveExample.look() }), {
    rateLimit: LOOKS,
  });

  mount(
    askLiveExample,
    async () => {
      const body = await liveExample.ask();
      return { status: body.state === "preparing" ? (202 as const) : (200 as const), body };
    },
    { rateLimit: ASKS },
  );
}
