const LONG = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** "April 21, 2025", in UTC; a dash when there is no date or it cannot be read. */
export function longDate(iso: string | null | undefined): string {
  const time = Date.parse(iso ?? "");
  return Number.isNaN(time) ? "–" : LONG.format(time);
}

const CLOCK = new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone: "UTC" });

/** "2:05 PM UTC"; empty when there is no date or it cannot be read. */
export function clockTime(iso: string | null | undefined): string {
  const time = Date.parse(iso ?? "");
  return Number.isNaN(time) ? "" : `${CLOCK.format(time)} UTC`;
}

const MOMENT = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short" });

/** "April 21, 2025 at 3:04 PM", in the person's own time zone. */
export function momentText(iso: string): string {
  return MOMENT.format(new Date(iso));
}
