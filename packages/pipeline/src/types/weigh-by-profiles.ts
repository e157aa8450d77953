import type { ExpectedLevels } from "../cell-types/expected-levels.ts";
import { occurring } from "../cell-types/occurring.ts";
import { typesByProfile } from "../cell-types/types-by-profile.ts";
import { hasNoNucleus } from "../markers/without-nucleus.ts";
import type { FittedTypes } from "./fit-types.ts";

/**
 * What cells are of, given the profiles of the fitted types over all genes (types + 1, the last of none):
 * P(type) = Σ over fitted types of P(fitted type) · P(type | its profile). Cells of none of the fitted types, and of types
 * without a nucleus, are divided among the others: it is their confidence that says whether they get a name.
 * @param names all types that the tissue can contain, and their expected levels
 */
export function weighByProfiles(
  { report, posterior }: FittedTypes,
  profiles: Float32Array,
  { names, expected }: { names: readonly string[]; expected: ExpectedLevels },
): FittedTypes {
  const { types, tissue } = report;
  const [width, wide] = [types.length + 1, names.length + 1];
  const mass = new Float64Array(width);
  posterior.forEach((share, at) => (mass[at % width] += share));
  const fittedAs = types.map(({ name }) => names.indexOf(name));
  const ofFitted = typesByProfile({ profiles, mass, fittedAs }, expected);
  names.forEach((name, t) => {
    if (hasNoNucleus(name, tissue)) for (const own of ofFitted) own[t] = 0;
  });
  const nCells = posterior.length / width;
  const named = new Float32Array(nCells * wide);
  for (let cell = 0; cell < nCells; cell++) {
    const own = named.subarray(cell * wide, (cell + 1) * wide);
    ofFitted.forEach((row, c) => {
      const share = posterior[cell * width + c];
      for (let t = 0; t < wide; t++) own[t] += share * row[t];
    });
    const total = own.reduce((a, b) => a + b, 0);
    if (total > 0) for (let t = 0; t < wide; t++) own[t] /= total;
    else own[wide - 1] = 1;
  }
  const markers = new Map(types.map((type) => [type.name, type.markers]));
  const { kept, posterior: ofKept } = occurring(named, wide);
  return {
    report: {
      ...report,
      types: kept.map((t) => ({ name: names[t], markers: markers.get(names[t]) ?? [] })),
    },
    posterior: ofKept,
  };
}
