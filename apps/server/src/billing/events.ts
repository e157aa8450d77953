import * as z from "zod";
import { ApiError } from "../http/api-error.ts";

/** The provider's ids, restricted to what fits our columns and its API's URLs. */
const id = z.string().regex(/^[\w-]{1,255}$/, "is not an id");
const ms = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** An event that nothing follows from. Its object may be of any shape: that of `invoice.upcoming` has no id. */
const other = z.object({ id, type: z.string().min(1).max(255) });
/** Of an object, only the id is used; its current state is requested from the provider. */
const change = other.extend({ data: z.object({ object: z.object({ id }) }) });
/** The one event that is not Stripe's: the payment sandbox's clock has been moved. */
const clockMove = other.extend({
  type: z.literal("sandbox.clock_moved"),
  data: z.object({ object: z.object({ ahead_ms: ms, deletes_ahead_ms: ms.default(0) }) }),
});

export type Change = z.infer<typeof change>;
export type ClockMove = z.infer<typeof clockMove>;
export type ProviderEvent = Change | ClockMove | z.infer<typeof other>;

const CHANGES =
  /^(checkout\.session\..+|customer\.subscription\..+|invoice\.(paid|payment_failed)|payment_intent\.payment_failed)$/;

/** Parses a webhook's content. Throws invalid_request if it is not an event. */
export function readEvent(content: unknown): ProviderEvent {
  const type = (content as { type?: unknown } | null)?.type;
  const shape =
    type === "sandbox.clock_moved" ? clockMove : CHANGES.test(`${type}`) ? change : other;
  const read = shape.safeParse(content);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join(".");
  throw new ApiError(
    "invalid_request",
    `The event is not valid: ${where ? `${where}: ` : ""}${issue?.message ?? "unexpected content"}.`,
  );
}

export function isClockMove(event: ProviderEvent): event is ClockMove {
  return event.type === "sandbox.clock_moved";
}
