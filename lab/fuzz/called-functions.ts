import { Session } from "node:inspector/promises";

const READERS = /\/packages\/(?:pipeline\/src\/readers|formats\/src)\//;

/** Starts recording which reader functions are called; reports them as "images/open-tissue-image.ts openInStrips". */
export async function noteCalledFunctions(): Promise<() => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result.flatMap(({ url, functions }) => {
      const [, file] = url.split(READERS);
      if (file === undefined) return [];
      return functions
        .filter(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => `${file} ${functionName}`);
    });
  };
}
