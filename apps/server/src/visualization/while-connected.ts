import type { FastifyRequest } from "fastify";

/** Runs work that is given up once the caller has gone. */
export async function whileConnected<T>(
  request: FastifyRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  const { socket } = request.raw;
  socket.once("close", leave);
  // Who has gone while the request was looked at is not told of any more.
  if (socket.destroyed) leave();
  try {
    return await work(gone.signal);
  } finally {
    socket.off("close", leave);
  }
}
