import * as z from "zod";
import { ApiError } from "../http/api-error.ts";

/** The provider's ids, restricted to what fits our columns and its API's URLs. */
const id = z.string().regex(/^[\w-]{1,255}$/, "is not an id");
const ms = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The one event that is not Stripe's: the payment sandbox's clock has been moved. */
const clockMove = z.object({
  id,
  type: z.literal("sandbox.clock_moved"),
  data: z.object({ object: z.object({ ahead_ms: ms, deletes_ahead_ms: ms.default(0) }) }),
});
/** Of every other event, only the object's id is used; its current state is requested from the provider. */
const event = z.object({
  id,
  type: z.string().min(1).max(255),
  data: z.object({ object: z.looseObject({}) }),
});

export type ClockMove = z.infer<typeof clockMove>;
export type ProviderEvent = z.infer<typeof event>;

/** Events whose object is looked up by its id. */
const LOOKED_UP = /^(checkout\.session|customer\.subscription|invoice|payment_intent)\./;

/** Parses a webhook's content. Throws invalid_request if it is not an event. */
export function readEvent(content: unknown): ClockMove | ProviderEvent {
  const type = (content as { type?: unknown } | null)?.type;
  const read =
    type === "sandbox.clock_moved" ? clockMove.safeParse(content) : event.safeParse(content);
  if (!read.success) throw invalid(read.error.issues[0]);
  const found = read.data;
  if (LOOKED_UP.test(found.type)) {
    const object = id.safeParse((found as ProviderEvent).data.object["id"]);
    if (!object.success) throw invalid({ path: ["data", "object", "id"], message: "is not an id" });
  }
  return found;
}

export function isClockMove(found: ClockMove | ProviderEvent): found is ClockMove {
  return found.type === "sandbox.clock_moved";
}

function invalid(issue: { path: PropertyKey[]; message: string } | undefined): ApiError {
  const where = issue?.path.join(".");
  return new ApiError(
    "invalid_request",
    `The event is not valid: ${where ? `${where}: ` : ""}${issue?.message ?? "unexpected content"}.`,
  );
}
