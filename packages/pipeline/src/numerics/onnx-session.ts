import type { InferenceSession } from "onnxruntime-node";

/**
 * Opens a model (its file or its bytes) on one thread: work is shared out among worker threads, each with a session of its
 * own. Throws when ONNX Runtime does not run on this machine or the model cannot be read.
 */
export async function openSession(model: string | Uint8Array): Promise<InferenceSession> {
  const { InferenceSession } = await import("onnxruntime-node");
  const options: InferenceSession.SessionOptions = {
    executionProviders: ["cpu"],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    // An arena keeps a call's memory for the next one: no faster here, and a tenth of a GB more a thread.
    enableCpuMemArena: false,
    // Warnings about the machine are not for the run's log.
    logSeverityLevel: 3,
  };
  return typeof model === "string"
    ? await InferenceSession.create(model, options)
    : await InferenceSession.create(model, options);
}
