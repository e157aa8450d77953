/** Indices of the `count` largest values above 0, largest first; of equal ones, the first. Meant for a few of many. */
export function largest(length: number, count: number, value: (index: number) => number): number[] {
  const [indices, values]: [number[], number[]] = [[], []];
  for (let index = 0; index < length; index++) {
    const own = value(index);
    if (!(own > (values.length < count ? 0 : values.at(-1)!))) continue;
    let at = values.length;
    while (at > 0 && values[at - 1] < own) at--;
    indices.splice(at, 0, index);
    values.splice(at, 0, own);
    if (values.length > count) [indices, values].forEach((list) => list.pop());
  }
  return indices;
}
