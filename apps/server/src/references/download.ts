import { createWriteStream } from "node:fs";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError } from "@stipple/pipeline/errors";
import { assertPublicHost, InsideError, isPublic, lookupPublic } from "./public-address.ts";

const MAX_REDIRECTS = 5;
/** How long a server may be silent. */
const SILENCE_MS = 30_000;
const HDF5 = Buffer.from("\x89HDF\r\n\x1a\n", "latin1");

export interface DownloadOptions {
  maxBytes: number;
  signal: AbortSignal;
  /** Which addresses may be connected to; only public ones by default. */
  allows?: ((address: string) => boolean) | undefined;
}

/** Whether a source is an address of the web rather than a file. */
export function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
}

/**
 * Downloads an h5ad file. Every address on the way, after resolving names and for each redirect, must be public. Throws
 * an {@link InputError} with a sentence: it points inside, does not answer, is too large, or is no HDF5 file.
 */
export async function downloadReference(
  source: string,
  path: string,
  options: DownloadOptions,
): Promise<void> {
  let url = source;
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await answerOf(webAddress(url), options);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy();
        url = new URL(headers.location, url).href;
        continue;
      }
      if (statusCode !== 200) {
        response.destroy();
        throw new InputError(`${source} answers with status ${statusCode}: check the address.`);
      }
      if (Number(headers["content-length"] ?? 0) > options.maxBytes) {
        response.destroy();
        throw tooLarge(source, options.maxBytes);
      }
      await pipeline(response, onlyHdf5(source, options.maxBytes), createWriteStream(path), {
        signal: options.signal,
      });
      return;
    }
  } catch (error) {
    options.signal.throwIfAborted();
    throw sentenceOf(error, source);
  }
  throw new InputError(`${source} is redirected too often: use the address of the file itself.`);
}

/** Throws an {@link InputError} for anything but http and https. */
function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new InputError(`${text} is not a web address: use one with http:// or https://.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new InputError(
      `${url.host} is given with a password, which would be recorded: download the file and add it from disk.`,
    );
  }
  return url;
}

function answerOf(url: URL, options: DownloadOptions): Promise<IncomingMessage> {
  const allows = options.allows ?? isPublic;
  assertPublicHost(url.hostname, allows);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = request(url, {
      lookup: lookupPublic(allows),
      signal: options.signal,
      timeout: SILENCE_MS,
      headers: { "user-agent": "stipple", "accept-encoding": "identity" },
    });
    call.once("response", resolve);
    call.once("timeout", () => call.destroy(new Error("no answer in time")));
    // Also after the response: a server that falls silent or breaks off ends the response with an error.
    call.on("error", reject);
    call.end();
  });
}

/** Passes bytes on as long as they can be those of an HDF5 file that is not too large. */
function onlyHdf5(source: string, maxBytes: number): Transform {
  let [bytes, head] = [0, Buffer.alloc(0)];
  let isHdf5 = false;
  return new Transform({
    transform(piece: Buffer, _, done) {
      bytes += piece.length;
      if (bytes > maxBytes) return done(tooLarge(source, maxBytes));
      if (!isHdf5) {
        head = Buffer.concat([head, piece.subarray(0, HDF5.length)]);
        const known = head.subarray(0, HDF5.length);
        if (!known.equals(HDF5.subarray(0, known.length))) return done(notHdf5(source));
        isHdf5 = known.length === HDF5.length;
      }
      done(null, piece);
    },
    flush: (done) => done(isHdf5 ? null : notHdf5(source)),
  });
}

const notHdf5 = (source: string): InputError =>
  new InputError(`${source} is not an h5ad file: use the address of the file itself.`);

const tooLarge = (source: string, maxBytes: number): InputError =>
  new InputError(
    `${source} is larger than ${(maxBytes / 1e9).toFixed(1)} GB: use a smaller file, for example fewer cells of each type.`,
  );

function sentenceOf(error: unknown, source: string): InputError {
  if (error instanceof InputError) return error;
  if (error instanceof InsideError) {
    return new InputError(
      `${source} points inside (${error.address} is not a public address): download the file and add it from disk.`,
    );
  }
  return new InputError(
    `${source} does not answer: check the address, or download the file and add it from disk.`,
    { cause: error },
  );
}
