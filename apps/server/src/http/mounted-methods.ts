/** The methods that each API path supports, to distinguish a wrong method from a wrong path. */
export class MountedMethods {
  readonly #routes: { method: string; segments: string[] }[] = [];

  /** `path` as the contract writes it: `:name` is one segment, `*` the rest. */
  add(method: string, path: string): void {
    this.#routes.push({ method, segments: `/api${path}`.split("/") });
  }

  /** In the order of mounting; none if there is no such address. */
  at(path: string): string[] {
    const asked = path.split("/");
    const known = this.#routes.filter(({ segments }) => matches(segments, asked));
    return [
      ...new Set(known.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))),
    ];
  }
}

function matches(segments: readonly string[], asked: readonly string[]): boolean {
  const takesRest = segments.at(-1) === "*";
  if (takesRest ? asked.length < segments.length : asked.length !== segments.length) return false;
  return segments.every(
    (segment, i) =>
      segment === "*" || (segment.startsWith(":") ? asked[i] !== "" : segment === asked[i]),
  );
}
