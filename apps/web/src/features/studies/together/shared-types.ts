import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { distinctColor } from "@stipple/viewer/cells";

/** By the name that the analysis gave: what people call a type, and its color. */
export type TypeNames = ReadonlyMap<
  string,
  { name: string | undefined; color: string | undefined }
>;

export interface SharedType {
  name: string;
  /** #rrggbb */
  color: string;
  /** Cells in all sections. */
  count: number;
}

/** The types of several sections: the same name has the same color everywhere, and no two names have the same. */
export interface SharedTypes {
  /** The most frequent first; what no type fits last. */
  types: readonly SharedType[];
  /** For each section, the shared name of each of its types. */
  names: readonly (readonly string[])[];
}

const UNKNOWN = "Unknown";

export function sharedTypes(
  sections: readonly { types: ViewerManifest["types"]; typeNames: TypeNames }[],
): SharedTypes {
  const shared = new Map<string, SharedType>();
  const given = sections.flatMap(({ types, typeNames }) =>
    types.map((type) => ({
      name: typeNames.get(type.name)?.name ?? type.name,
      own: typeNames.get(type.name)?.color,
      color: type.color,
      count: type.count,
    })),
  );
  // A color that a person chose counts before those of analyses.
  for (const { name, own, color, count } of [
    ...given.filter(({ own: one }) => one !== undefined),
    ...given.filter(({ own: one }) => one === undefined),
  ]) {
    const known = shared.get(name);
    if (known) {
      known.count += count;
      continue;
    }
    const taken = [...shared.values()].map((one) => one.color.toLowerCase());
    const wanted = own ?? color;
    const free = taken.includes(wanted.toLowerCase()) ? distinctColor(taken) : wanted;
    shared.set(name, { name, color: free, count });
  }
  return {
    types: [...shared.values()]
      .filter(({ count }) => count > 0)
      .sort(
        (a, b) =>
          Number(a.name === UNKNOWN) - Number(b.name === UNKNOWN) ||
          b.count - a.count ||
          a.name.localeCompare(b.name),
      ),
    names: sections.map(({ types, typeNames }) =>
      types.map(({ name }) => typeNames.get(name)?.name ?? name),
    ),
  };
}
