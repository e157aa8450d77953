/** Which methods the addresses of the API know, to tell a wrong method from a wrong address. */
export class MountedMethods {
  readonly #routes: { method: string; pattern: RegExp }[] = [];

  /** `path` as the contract writes it: `:name` is one segment, `*` the rest. */
  add(method: string, path: string): void {
    const source = path
      .split(/(:\w+|\*)/)
      .map((piece) =>
        piece === "*" ? ".*" : piece.startsWith(":") ? "[^/]+" : piece.replaceAll(".", "\\."),
      )
      .join("");
    this.#routes.push({ method, pattern: new RegExp(`^/api${source}$`) });
  }

  /** In the order of mounting; none where there is no such address. */
  at(path: string): string[] {
    const known = this.#routes.filter(({ pattern }) => pattern.test(path));
    return [
      ...new Set(known.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))),
    ];
  }
}
