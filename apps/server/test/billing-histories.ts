import * as fc from "fast-check";

/** What users, cards, time, and the network can do to an account. */
export type BillingEvent =
  | { does: "buy"; plan: string; card: "good" | "declined" | "fails at renewal" }
  | { does: "buy twice at once"; plan: string }
  | { does: "cancel" | "reactivate" | "hold events" | "send twice" | "look" }
  | { does: "downgrade"; to: "basic" | "professional" }
  | { does: "wait"; days: number }
  | { does: "release events"; order: "oldest" | "newest" }
  | { does: "start"; ends: "completed" | "failed by us" | "failed by the data" | "not yet" }
  | { does: "start again" };

const plan = fc.constantFrom(
  "Single Analysis",
  "Basic Tier",
  "Professional Tier",
  "Enterprise Tier",
);

const event: fc.Arbitrary<BillingEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("buy" as const),
      plan,
      card: fc.constantFrom("good" as const, "good", "declined", "fails at renewal"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("buy twice at once" as const), plan }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom("cancel" as const, "reactivate", "hold events", "send twice", "look"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("downgrade" as const),
      to: fc.constantFrom("basic" as const, "professional"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("wait" as const),
      days: fc.constantFrom(1, 4, 10, 31),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("release events" as const),
      order: fc.constantFrom("oldest" as const, "newest"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("start" as const),
      ends: fc.constantFrom("completed" as const, "failed by us", "failed by the data", "not yet"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("start again" as const) }) },
);

/** The life of an account, as a list of events. */
export const histories = fc.array(event, { minLength: 6, maxLength: 16 });
