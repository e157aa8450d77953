import type { FastifyRequest } from "fastify";

/** Runs work that is aborted when the caller disconnects. */
export async function whileConnected<T>(
  request: FastifyRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  const { socket } = request.raw;
  socket.once("close", leave);
  // A caller that disconnected while the request was checked is not reported anymore.
  if (socket.destroyed) leave();
  try {
    return await work(gone.signal);
  } finally {
    socket.off("close", leave);
  }
}
