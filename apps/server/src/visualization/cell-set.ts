import { ApiError } from "../http/api-error.ts";

/** The bits of a set of cells in a request. Throws invalid_request. */
export function cellSet(which: "first" | "second" | "given", text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw new ApiError("invalid_request", `The ${which} set of cells is not base64.`);
  }
  return new Uint8Array(Buffer.from(text, "base64"));
}
