import type { DifferentialLine, DifferentialTable } from "@stipple/contract/routes/visualization";
import { ApiError, NetworkError } from "../../../app/api.ts";

/**
 * Reads a comparison's line stream up to the final table, calling `progress` along the way. Throws ApiError if the
 * server failed, NetworkError if the lines end early, and the signal's reason when aborted.
 */
export async function followedTable(
  { body }: Response,
  progress: (done: number) => void,
  signal: AbortSignal,
): Promise<DifferentialTable> {
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
        const line = JSON.parse(text) as DifferentialLine;
        if ("table" in line) return line.table;
        if ("problem" in line) {
          const { status, code, error } = line.problem;
          throw new ApiError(status, code, error);
        }
        progress(line.done);
      }
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof ApiError || cause instanceof NetworkError) throw cause;
    throw new NetworkError("No connection to the server.", { cause });
  }
}
