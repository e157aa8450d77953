/** An expected time in words, no more exact than it is known: "20 seconds", "4 minutes", "1 hour 10 minutes". */
export function durationText(seconds: number): string {
  if (seconds < 55) return `${Math.max(10, 10 * Math.round(seconds / 10))} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  // Beyond an hour, single minutes do not matter.
  const rounded = 10 * Math.round(minutes / 10);
  const hours = Math.floor(rounded / 60);
  const rest = rounded % 60;
  return `${hours === 1 ? "1 hour" : `${hours} hours`}${rest > 0 ? ` ${rest} minutes` : ""}`;
}
