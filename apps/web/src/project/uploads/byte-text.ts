/** A size in the largest fitting unit: "812 kB", "14.2 MB", "6.91 GB" (1 MB = 1024 × 1024 bytes). */
export function byteText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** How long the rest takes at this speed: "12 s left", "4 min left", "2 h 10 min left". */
export function timeLeftText(bytesLeft: number, bytesPerSecond: number): string {
  if (bytesPerSecond <= 0) return "";
  const seconds = bytesLeft / bytesPerSecond;
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
