/**
 * Replaces the file readers (loaders.gl) that deck.gl calls when a layer's data is a URL. The view's layers get their
 * data as arrays and images.
 */
export function load(address: unknown): never {
  throw new Error(`The view hands data to its layers, not addresses: ${String(address)}`);
}

export function registerLoaders(): void {
  // There are none.
}

export const ImageLoader = {};
