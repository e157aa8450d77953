import type * as Runtime from "onnxruntime-node";
import type { InferenceSession } from "onnxruntime-node";

/** ONNX Runtime does not run on this machine. The message says what to do. */
export class RuntimeMissingError extends Error {
  override readonly name = "RuntimeMissingError";
}

/** Loads ONNX Runtime. Throws {@link RuntimeMissingError}. */
export async function onnxRuntime(): Promise<typeof Runtime> {
  try {
    return await import("onnxruntime-node");
  } catch (error) {
    const [reason] = String(error).split("\n");
    throw new RuntimeMissingError(
      `ONNX Runtime does not run on this machine (${reason}): use a system that it supports, and install Stipple there with npm ci.`,
    );
  }
}

/**
 * Opens a model (file path or bytes) on one thread: worker threads run in parallel, each with its own session. Throws
 * if the model cannot be read.
 */
export async function openSession(
  model: string | Uint8Array,
  /** Whether a call's memory is kept for the next one: worth it for a network whose layers take many megabytes each. */
  { keepMemory = false } = {},
): Promise<InferenceSession> {
  const { InferenceSession } = await onnxRuntime();
  const options: InferenceSession.SessionOptions = {
    executionProviders: ["cpu"],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    enableCpuMemArena: keepMemory,
    // Planning all layers' memory ahead would keep more of it.
    enableMemPattern: !keepMemory,
    // Keep warnings about the machine out of the run's log.
    logSeverityLevel: 3,
  };
  return typeof model === "string"
    ? await InferenceSession.create(model, options)
    : await InferenceSession.create(model, options);
}
