/** Test cards, as the hosted page lists them. */
export const CARDS = [
  { number: "4242 4242 4242 4242", what: "is accepted" },
  { number: "4000 0000 0000 0002", what: "is declined" },
  { number: "4000 0000 0000 0341", what: "is accepted now, declined at each renewal" },
] as const;

/** What a card does now and at renewals; undefined for a number that is not a test card. */
export function cardBehavior(number: string): { now: boolean; renewal: boolean } | undefined {
  switch (number.replaceAll(/\D/g, "")) {
    case "4242424242424242":
      return { now: true, renewal: true };
    case "4000000000000002":
      return { now: false, renewal: false };
    case "4000000000000341":
      return { now: true, renewal: false };
    default:
      return undefined;
  }
}
