/**
 * Whether every channel is brighter than half its range nearly everywhere, like the colors of stained tissue on a white
 * slide. Pixels that are 0 in all channels lie outside the scan and do not count. O(pixels).
 */
export function onBrightBackground(channels: readonly Uint16Array[]): boolean {
  const isOutside = (i: number): boolean => channels.every((channel) => channel[i] === 0);
  return channels.every((channel) => {
    const histogram = new Uint32Array(65_536);
    let inside = 0;
    for (let i = 0; i < channel.length; i++) {
      if (channel[i] === 0 && isOutside(i)) continue;
      histogram[channel[i]]++;
      inside++;
    }
    const quantile = (fraction: number): number => {
      let seen = 0;
      return histogram.findIndex((count) => (seen += count) > fraction * inside);
    };
    return inside > 0 && quantile(0.5) > 0.5 * quantile(0.999);
  });
}
