import type { ViewerStore } from "./viewer-store.ts";

/** What each view has once, made when first asked for: it survives closing and reopening a panel. */
export function perView<Made>(make: (viewer: ViewerStore) => Made): (viewer: ViewerStore) => Made {
  const known = new WeakMap<ViewerStore, Made>();
  return (viewer) => {
    const made = known.get(viewer) ?? make(viewer);
    known.set(viewer, made);
    return made;
  };
}
