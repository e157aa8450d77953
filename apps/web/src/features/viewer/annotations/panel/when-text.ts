/** "Nov 27, 2026, 4:05 PM" in the reader's time zone. */
export function whenText(at: string): string {
  return new Date(at).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });
}
