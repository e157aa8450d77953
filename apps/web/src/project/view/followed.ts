import type { Problem } from "@stipple/contract/errors/problem";
import { ApiError, NetworkError } from "../../app/api.ts";

type Line<Key extends string, Result> =
  { done: number } | { problem: Problem } | Record<Key, Result>;

/**
 * Reads a computation's line stream up to its result, which the last line holds as `key`, calling `progress` along the
 * way. Throws ApiError if the server failed, NetworkError if the lines end early, and the signal's reason when aborted.
 */
export async function followed<Result, Key extends string>(
  { body }: Response,
  key: Key,
  progress: (done: number) => void,
  signal: AbortSignal,
): Promise<Result> {
  if (!body) throw new NetworkError("The response is empty.");
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new NetworkError("The response ended early.");
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        const line = JSON.parse(text) as Line<Key, Result>;
        if (key in line) return (line as Record<Key, Result>)[key];
        if ("problem" in line) {
          const { status, code, error } = line.problem;
          throw new ApiError(status, code, error);
        }
        progress((line as { done: number }).done);
      }
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof ApiError || cause instanceof NetworkError) throw cause;
    throw new NetworkError("No connection to the server.", { cause });
  }
}
