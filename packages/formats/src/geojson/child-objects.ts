/** The objects that QuPath keeps in another one, if it writes its hierarchy. */
export function childrenOf<F extends { properties?: unknown }>({ properties }: F): F[] {
  const { childObjects } = (properties ?? {}) as { childObjects?: unknown };
  if (!Array.isArray(childObjects)) return [];
  return childObjects.filter((child) => typeof child === "object" && child !== null) as F[];
}
