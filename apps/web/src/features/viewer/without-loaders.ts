/**
 * Stands in for the readers of files (loaders.gl) that deck.gl asks when a layer's data are an address. The view's layers
 * get their data as arrays and images.
 */
export function load(address: unknown): never {
  throw new Error(`The view hands data to its layers, not addresses: ${String(address)}`);
}

export function registerLoaders(): void {
  // There are none.
}

export const ImageLoader = {};
