import { fileURLToPath } from "node:url";
import { onnxRuntime, openSession } from "@stipple/numerics/onnx-session";

/** The network's output for a tile, at half its resolution (width × height here), row by row. */
export interface NucleusMaps {
  width: number;
  height: number;
  /** Probability that a pixel lies in a nucleus. */
  probability: Float32Array;
  /** Distance to the nucleus' border: 0 at the border, 1 at its thickest point. */
  distance: Float32Array;
  /** Offset from the pixel to the centroid of its nucleus, half-resolution px. */
  offsetX: Float32Array;
  offsetY: Float32Array;
}

/** Maps of zeros. */
export function emptyMaps(width: number, height: number): NucleusMaps {
  const make = (): Float32Array => new Float32Array(width * height);
  return {
    width,
    height,
    probability: make(),
    distance: make(),
    offsetX: make(),
    offsetY: make(),
  };
}

/** The trained network, ready to run. */
export interface NucleusNetwork {
  /**
   * Detects nuclei in an image of 3 × height × width values (see network-input.ts); both sides must be multiples of
   * {@link NETWORK_MULTIPLE_PX}.
   */
  run(input: Float32Array, width: number, height: number): Promise<NucleusMaps>;
  close(): Promise<void>;
}

/** The weights that ship with the program, next to their model card. */
export const NETWORK_WEIGHTS = fileURLToPath(
  new URL("../../models/nucleus-network.onnx", import.meta.url),
);

/** The network halves the resolution four times: sides that are not multiples of 2⁴ would not fit back together. */
export const NETWORK_MULTIPLE_PX = 16;

/** Receptive field around a pixel, px: anything farther away changes nothing, not even the last bit. */
export const RECEPTIVE_PX = 80;

/**
 * Opens the network on one thread. Throws if the weights cannot be read.
 */
export async function openNucleusNetwork(weights = NETWORK_WEIGHTS): Promise<NucleusNetwork> {
  const { Tensor } = await onnxRuntime();
  // Otherwise, a tenth of detection's time would go into pages of new memory.
  const session = await openSession(weights, { keepMemory: true });
  return {
    async run(input, width, height) {
      const image = new Tensor("float32", input, [1, 3, height, width]);
      const { maps } = await session.run({ image });
      const data = maps.data as Float32Array;
      const plane = (width / 2) * (height / 2);
      if (data.length !== 4 * plane) {
        throw new Error(
          `The nucleus network returned ${data.length} numbers instead of ${4 * plane}.`,
        );
      }
      const map = (index: number): Float32Array =>
        data.subarray(index * plane, (index + 1) * plane);
      return {
        width: width / 2,
        height: height / 2,
        probability: map(0),
        distance: map(1),
        offsetX: map(2),
        offsetY: map(3),
      };
    },
    close: () => session.release(),
  };
}
