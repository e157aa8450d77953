/** The part of JSON Schema that settings and parameters are described by. */
export interface ChoiceSchema {
  type?: "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";
  description?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: ChoiceSchema[];
  properties?: Record<string, ChoiceSchema>;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

/** Values by name; absent = the default. */
export type Choices = Record<string, unknown>;

/** One value to choose. `path`: names from outermost to innermost, such as `nuclei`, `network`, `minVotes`. */
export interface Choice {
  path: readonly string[];
  schema: ChoiceSchema;
}

/** The single values of a schema, nested ones in their place. Lists have no control of their own. */
export function choicesOf(schema: ChoiceSchema, before: readonly string[] = []): Choice[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = [...before, name];
    if (property.properties) return choicesOf(property, path);
    return property.type === "array" ? [] : [{ path, schema: plain(property) }];
  });
}

/** For a schema that allows null, the schema of its value; null then means "automatic". */
function plain(schema: ChoiceSchema): ChoiceSchema {
  const value = schema.anyOf?.find(({ type }) => type !== "null");
  return value ? { ...value, ...schema } : schema;
}

export function valueAt(choices: Choices, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Choices | undefined)?.[name], choices);
}

/** Choices with one value changed; undefined unsets it and removes groups that become empty. */
export function withValue<T extends Choices>(
  choices: T,
  path: readonly string[],
  value: unknown,
): T {
  const [name = "", ...rest] = path;
  const inner =
    rest.length > 0 ? withValue((choices[name] as Choices | undefined) ?? {}, rest, value) : value;
  const { [name]: _former, ...others } = choices;
  const isEmpty = inner === undefined || (isGroup(inner) && Object.keys(inner).length === 0);
  return (isEmpty ? others : { ...others, [name]: inner }) as T;
}

/** Number of single values chosen, counting nested ones individually. */
export function countValues(choices: Choices): number {
  return Object.values(choices).reduce<number>(
    (sum, value) => sum + (isGroup(value) ? countValues(value) : 1),
    0,
  );
}

const isGroup = (value: unknown): value is Choices =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `maxExpansionUm` as "Max expansion (µm)"; nested names are preceded by their group: "Network: min votes". */
export function labelOf(path: readonly string[]): string {
  const words = path
    .slice(path.length > 1 ? 1 : 0)
    .map(wordsOf)
    .join(": ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function wordsOf(name: string): string {
  return name
    .replace(/Um2$/, " (µm²)")
    .replace(/UmPerPx$/, " (µm per pixel)")
    .replace(/Um$/, " (µm)")
    .replace(/Px$/, " (pixels)")
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
}
