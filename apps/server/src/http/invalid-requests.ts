import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ApiError, problemOf } from "./api-error.ts";
import { requestFault } from "./request-faults.ts";

const LEAVING_MS = 2_000;

/** Responds to input that Node's HTTP parser rejects, in the form of all other refusals, and closes the connection. */
export function answerInvalidRequest(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const fault = isLate ? new ApiError("request_late") : requestFault(error.code);
  const body = JSON.stringify(problemOf(fault));
  // A client that sent HEAD would take a body for the start of the next response.
  const begun = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString("latin1", 0, 5) : "";
  const isHead = begun === "HEAD ";
  socket.end(
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${isHead ? "" : body}`,
  );
  // A caller that is told and neither sends nor leaves must not keep the connection.
  if (isLate) setTimeout(() => socket.destroy(), LEAVING_MS).unref();
}

/** Responds to a request that expects anything other than 100-continue, which is not supported. */
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
