export type FormValue = string | FormValue[] | { [key: string]: FormValue };

/** Decodes the provider's form encoding: `a[b][0]=c` becomes { a: { b: ["c"] } }. */
export function decodeForm(text: string): Record<string, FormValue> {
  const root: Record<string, FormValue> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]/).filter((part) => part !== "");
    let place: Record<string, FormValue> = root;
    path.forEach((key, depth) => {
      if (depth === path.length - 1) place[key] = value;
      else place = (place[key] ??= {}) as Record<string, FormValue>;
    });
  }
  return arrays(root) as Record<string, FormValue>;
}

/** Turns objects whose keys are 0, 1, 2 … into arrays. */
function arrays(value: FormValue): FormValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, arrays(child)] as const);
  return entries.length > 0 && entries.every(([key], index) => key === `${index}`)
    ? entries.map(([, child]) => child)
    : Object.fromEntries(entries);
}
