import { regionFinder } from "@stipple/viewer/tools";

declare global {
  interface Window {
    /** Time in ms from sending a drawn region to receiving its cells, for each of `times` regions. */
    measureLasso(cells: number, corners: number, times: number): Promise<number[]>;
  }
}

window.measureLasso = async (cells, corners, times) => {
  const positions = Float32Array.from({ length: 2 * cells }, () => 20_000 * Math.random());
  const finder = regionFinder(positions);
  const took: number[] = [];
  for (let time = 0; time < times; time++) {
    const ring = Float64Array.from({ length: 2 * corners }, (_, i) => {
      const angle = (2 * Math.PI * (i >> 1)) / corners;
      const radius = 7000 * (1 + 0.2 * Math.sin(9 * angle + time));
      return 10_000 + radius * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    });
    const start = performance.now();
    const { count } = await finder.find(ring);
    took.push(performance.now() - start);
    if (count < cells / 4) throw new Error(`Only ${count} cells lie in the region.`);
  }
  return took;
};
