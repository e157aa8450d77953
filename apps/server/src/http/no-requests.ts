import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ApiError, problemOf } from "./api-error.ts";
import { requestFault } from "./request-faults.ts";

/** Answers what Node's HTTP parser took for no request, in the form of every other refusal, and closes the connection. */
export function answerNoRequest(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(problemOf(requestFault(error.code)));
  // Whoever asks for the head only takes a body for the start of another answer.
  const begun = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString("latin1", 0, 5) : "";
  const isHead = begun === "HEAD ";
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${isHead ? "" : body}`,
  );
}

/** Answers a request that expects something else than 100-continue, which nobody does. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const refusal = new ApiError(
    "invalid_request",
    "The request is not valid: this server does not support its Expect header.",
  );
  const body = Buffer.from(JSON.stringify(problemOf(refusal)));
  response.writeHead(400, {
    "content-type": "application/problem+json",
    "content-length": body.length,
    connection: "close",
  });
  response.end(body);
}
