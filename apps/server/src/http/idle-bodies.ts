import type { IncomingMessage, Server } from "node:http";

export interface BodyLimits {
  /** How long no byte of a body may arrive. */
  idleMs: number;
  /** How many bytes must arrive in how long; a body that is nearly whole may have fewer. */
  minBytes: number;
  windowMs: number;
}

/** About 1 KB/s: a twelfth of what a chunk needs to arrive before the server's own limit on a whole request. */
const LIMITS: BodyLimits = { idleMs: 30_000, minBytes: 64 * 1024, windowMs: 60_000 };

/** What has arrived of a request. */
interface Progress {
  bytes: number;
  changedAt: number;
  windowBytes: number;
  windowAt: number;
}

/**
 * Ends requests whose bodies stop arriving, or only trickle in, so that they do not hold their connections. A body that
 * makes progress may take as long as the server's limit on whole requests. The caller is told (`clientError`).
 */
export function endIdleBodies(server: Server, limits: BodyLimits = LIMITS): void {
  const arriving = new Map<IncomingMessage, Progress>();
  server.on("request", (request: IncomingMessage) => {
    if (request.complete) return;
    const [bytes, now] = [request.socket.bytesRead, performance.now()];
    arriving.set(request, { bytes, changedAt: now, windowBytes: bytes, windowAt: now });
  });
  const looking = setInterval(() => {
    const now = performance.now();
    for (const [request, progress] of arriving) {
      const { socket } = request;
      if (request.complete || socket.destroyed) arriving.delete(request);
      else if (isIdle(progress, socket.bytesRead, now, limits)) {
        arriving.delete(request);
        const error = Object.assign(new Error("The body does not arrive"), {
          code: "ERR_HTTP_REQUEST_TIMEOUT",
        });
        // With a response under way, there is nobody to tell.
        if (socket.writableLength > 0) socket.destroy();
        else server.emit("clientError", error, socket);
      }
    }
  }, limits.idleMs / 6).unref();
  server.once("close", () => clearInterval(looking));
}

/** Notes what has arrived, and says whether it is too little. */
function isIdle(
  progress: Progress,
  bytes: number,
  now: number,
  { idleMs, minBytes, windowMs }: BodyLimits,
): boolean {
  if (bytes > progress.bytes) Object.assign(progress, { bytes, changedAt: now });
  if (now - progress.changedAt >= idleMs) return true;
  if (now - progress.windowAt < windowMs) return false;
  const isTrickle = bytes - progress.windowBytes < minBytes;
  Object.assign(progress, { windowBytes: bytes, windowAt: now });
  return isTrickle;
}
