const MOMENT = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short" });

/** "April 21, 2025 at 3:04 PM", in the person's own time zone. */
export function momentText(iso: string): string {
  return MOMENT.format(new Date(iso));
}
