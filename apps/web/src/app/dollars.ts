const WHOLE = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});
const CENTS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** An amount of dollars with its cents: "$1,499.00". */
export function dollars(amount: number): string {
  return CENTS.format(amount);
}

/** A price without cents: "$1,499". */
export function wholeDollars(amount: number): string {
  return WHOLE.format(amount);
}
