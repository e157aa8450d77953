const LONG = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** "April 21, 2025", in UTC; a dash when there is no date or it cannot be read. */
export function longDate(iso: string | null | undefined): string {
  const time = Date.parse(iso ?? "");
  return Number.isNaN(time) ? "–" : LONG.format(time);
}
