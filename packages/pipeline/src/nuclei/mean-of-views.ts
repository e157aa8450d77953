import type { NetworkInput } from "./network-input.ts";
import { emptyMaps, type NucleusMaps, type NucleusNetwork } from "./nucleus-network.ts";

/** Numbers of views that {@link meanOfViews} can average. */
export const VIEW_COUNTS = [1, 2, 4] as const;

/** How an image is turned: mirrored, and then its axes swapped. */
interface View {
  mirrorX: boolean;
  mirrorY: boolean;
  swap: boolean;
}

/** Turned by 0, 180, 90, and 270 degrees; fewer views use the first ones. */
const VIEWS: readonly View[] = [
  { mirrorX: false, mirrorY: false, swap: false },
  { mirrorX: true, mirrorY: true, swap: false },
  { mirrorX: true, mirrorY: false, swap: true },
  { mirrorX: false, mirrorY: true, swap: true },
];

/**
 * Averages the network's output for an image turned in several ways. Each turn leads to slightly different errors, so
 * the mean finds nuclei slightly better, in `views` times the time. Calls `between` before each view.
 */
export async function meanOfViews(
  network: Pick<NucleusNetwork, "run">,
  image: NetworkInput,
  views: (typeof VIEW_COUNTS)[number],
  between: () => void,
): Promise<NucleusMaps> {
  if (views === 1) return network.run(image.data, image.width, image.height);
  const mean = emptyMaps(image.width / 2, image.height / 2);
  for (const view of VIEWS.slice(0, views)) {
    between();
    const turned = turn(image, view);
    addTurnedBack(mean, await network.run(turned.data, turned.width, turned.height), view, views);
  }
  return mean;
}

/** The image as the view shows it. O(pixels). */
function turn(image: NetworkInput, view: View): NetworkInput {
  const { width, height } = image;
  const plane = width * height;
  const data = new Float32Array(image.data.length);
  const placeOf = placesIn(view, width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = placeOf(x, y);
      const from = y * width + x;
      for (let c = 0; c < 3; c++) data[c * plane + to] = image.data[c * plane + from];
    }
  }
  return { data, ...(view.swap ? { width: height, height: width } : { width, height }) };
}

/** Adds a share of a view's maps to the mean, in the orientation of the image itself. O(pixels). */
function addTurnedBack(mean: NucleusMaps, maps: NucleusMaps, view: View, views: number): void {
  const { width, height } = mean;
  const placeOf = placesIn(view, width, height);
  const [along, across] = view.swap ? [maps.offsetY, maps.offsetX] : [maps.offsetX, maps.offsetY];
  const signX = view.mirrorX ? -1 : 1;
  const signY = view.mirrorY ? -1 : 1;
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      const from = placeOf(x, y);
      mean.probability[to] += maps.probability[from] / views;
      mean.distance[to] += maps.distance[from] / views;
      mean.offsetX[to] += (signX * along[from]) / views;
      mean.offsetY[to] += (signY * across[from]) / views;
    }
  }
}

/** Index, in the view, of a pixel of a width × height image. */
function placesIn(
  { mirrorX, mirrorY, swap }: View,
  width: number,
  height: number,
): (x: number, y: number) => number {
  return (x, y) => {
    const u = mirrorX ? width - 1 - x : x;
    const v = mirrorY ? height - 1 - y : y;
    return swap ? u * height + v : v * width + u;
  };
}
