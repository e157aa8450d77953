const versions = new WeakMap<object, number>();
let last = 0;

/** A number for an object, in keys of queries: another object has another. */
export function versionOf(object: object): number {
  let version = versions.get(object);
  if (version === undefined) {
    version = ++last;
    versions.set(object, version);
  }
  return version;
}
