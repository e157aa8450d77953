import type { InferenceSession } from "onnxruntime-node";

/**
 * Opens a model (file path or bytes) on one thread: worker threads run in parallel, each with its own session. Throws
 * if ONNX Runtime does not run on this machine or the model cannot be read.
 */
export async function openSession(model: string | Uint8Array): Promise<InferenceSession> {
  const { InferenceSession } = await import("onnxruntime-node");
  const options: InferenceSession.SessionOptions = {
    executionProviders: ["cpu"],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    // An arena keeps a call's memory for the next call: no faster here, and 0.1 GB more per thread.
    enableCpuMemArena: false,
    // Keep warnings about the machine out of the run's log.
    logSeverityLevel: 3,
  };
  return typeof model === "string"
    ? await InferenceSession.create(model, options)
    : await InferenceSession.create(model, options);
}
