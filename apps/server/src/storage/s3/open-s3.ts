import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, rename, rm, stat as statFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { CHUNK_BYTES } from "@stipple/contract";
import type { StorageSettings } from "../open-storage.ts";
import {
  assertKey,
  MissingObjectError,
  type ByteRange,
  type ObjectInfo,
  type PartSource,
  type Storage,
  type StoredPart,
} from "../storage.ts";
import { bucketOf, s3Client } from "./client.ts";
import { chunksOf, fileChunks, following, inParallel } from "./chunks.ts";

const REMOVED_AT_ONCE = 1000;
/** Parts of one object that are on their way at a time. */
const PARTS_AT_ONCE = 4;
/** How often an interrupted download is resumed. */
const DOWNLOAD_TRIES = 5;

/** Storage in a bucket of S3 or a compatible server. Sends no request yet. */
export function openS3(settings: StorageSettings): Storage {
  const { bucket, root } = bucketOf(settings.address);
  const client = s3Client(settings.s3);
  const encryption = encryptionOf(settings.s3.encryption);

  function at(key: string): { Bucket: string; Key: string } {
    assertKey(key);
    return { Bucket: bucket, Key: root + key };
  }
  const folderOf = (prefix: string): string => {
    if (prefix === "") return root;
    assertKey(prefix);
    return `${root}${prefix}/`;
  };

  async function stat(key: string): Promise<ObjectInfo | null> {
    try {
      const head = await client.send(new HeadObjectCommand(at(key)));
      return infoOf(key, head.ContentLength, head.LastModified, head.ETag);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async function get(key: string, range?: ByteRange, abortSignal?: AbortSignal): Promise<Readable> {
    try {
      const { Body } = await client.send(
        new GetObjectCommand({
          ...at(key),
          ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
        }),
        abortSignal ? { abortSignal } : {},
      );
      return Body as Readable;
    } catch (error) {
      if (isMissing(error)) throw new MissingObjectError(`No object ${key}`, { cause: error });
      if ((error as Error).name === "InvalidRange") return Readable.from([]);
      throw error;
    }
  }

  async function beginParts(key: string): Promise<string> {
    const command = new CreateMultipartUploadCommand({ ...at(key), ...encryption });
    const { UploadId } = await client.send(command);
    if (!UploadId) throw new Error(`The storage returned no id for the upload of ${key}`);
    return UploadId;
  }

  async function sendPart(key: string, uploadId: string, index: number, body: Uint8Array) {
    try {
      const { ETag } = await client.send(
        new UploadPartCommand({
          ...at(key),
          UploadId: uploadId,
          PartNumber: index + 1,
          Body: body,
          ContentLength: body.length,
        }),
      );
      return ETag ?? "";
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new MissingObjectError(`No upload ${uploadId} of ${key}`, { cause: error });
    }
  }

  async function completeParts(
    key: string,
    uploadId: string,
    parts: readonly StoredPart[],
  ): Promise<void> {
    const Parts = parts
      .toSorted((a, b) => a.index - b.index)
      .map(({ index, tag }) => ({ PartNumber: index + 1, ETag: tag }));
    try {
      await client.send(
        new CompleteMultipartUploadCommand({
          ...at(key),
          UploadId: uploadId,
          MultipartUpload: { Parts },
        }),
      );
    } catch (error) {
      if (!isMissing(error)) throw error;
      // The response to the first attempt was lost.
      const size = parts.reduce((sum, part) => sum + part.size, 0);
      if ((await stat(key))?.size === size) return;
      throw new MissingObjectError(`No upload ${uploadId} of ${key}`, { cause: error });
    }
  }

  async function abortParts(key: string, uploadId: string): Promise<void> {
    try {
      await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId }));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** An object of any length: at once when it is short, in parts otherwise. */
  async function putChunks(key: string, chunks: AsyncGenerator<Uint8Array>): Promise<void> {
    const first = await chunks.next();
    const second = first.done ? first : await chunks.next();
    if (first.done || second.done) {
      const body = first.done ? new Uint8Array() : first.value;
      await client.send(
        new PutObjectCommand({ ...at(key), ...encryption, Body: body, ContentLength: body.length }),
      );
      return;
    }
    const uploadId = await beginParts(key);
    try {
      const all = following([first.value, second.value], chunks);
      const parts = await inParallel(all, PARTS_AT_ONCE, async (body, index) => {
        return { index, size: body.length, tag: await sendPart(key, uploadId, index, body) };
      });
      await completeParts(key, uploadId, parts);
    } catch (error) {
      await abortParts(key, uploadId).catch(() => undefined);
      throw error;
    }
  }

  return {
    stat,
    get,
    beginParts,
    completeParts,
    abortParts,
    async put(key, source) {
      assertKey(key);
      const bytes = source instanceof Readable ? source : Readable.from([Buffer.from(source)]);
      await putChunks(key, chunksOf(bytes, CHUNK_BYTES));
    },
    async putFile(key, path) {
      assertKey(key);
      await putChunks(key, fileChunks(path, (await statFile(path)).size));
    },
    async putPart(key, uploadId, index, source) {
      return sendPart(key, uploadId, index, await bytesOf(source));
    },
    async *list(prefix) {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: folderOf(prefix) });
      for await (const { Contents } of pages) {
        for (const { Key, Size, LastModified, ETag } of Contents ?? []) {
          if (Key !== undefined) yield infoOf(Key.slice(root.length), Size, LastModified, ETag);
        }
      }
    },
    async remove(keys) {
      for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
        const Objects = keys
          .slice(from, from + REMOVED_AT_ONCE)
          .map((key) => ({ Key: at(key).Key }));
        const { Errors } = await client.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        );
        const fault = Errors?.find(({ Code }) => Code !== "NoSuchKey");
        if (fault)
          throw new Error(`${fault.Key} could not be removed: ${fault.Message ?? fault.Code}`);
      }
    },
    async fetchTo(key, path, signal) {
      const info = await stat(key);
      if (!info) throw new MissingObjectError(`No object ${key}`);
      await mkdir(dirname(path), { recursive: true });
      const draft = `${path}.${randomUUID()}`;
      try {
        await (await open(draft, "w")).close();
        let tries = 1;
        for (let have = 0; have < info.size; have = (await statFile(draft)).size) {
          try {
            const rest = await get(key, { start: have, end: info.size - 1 }, signal);
            await pipeline(rest, createWriteStream(draft, { flags: "a" }), { signal });
          } catch (error) {
            signal?.throwIfAborted();
            if (error instanceof MissingObjectError || tries++ >= DOWNLOAD_TRIES) throw error;
          }
        }
        await rename(draft, path);
      } finally {
        await rm(draft, { force: true });
      }
    },
    async *listParts(prefix) {
      let from: { KeyMarker?: string; UploadIdMarker?: string } = {};
      for (;;) {
        const page = await client.send(
          new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: folderOf(prefix), ...from }),
        );
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (Key === undefined || UploadId === undefined) continue;
          yield {
            key: Key.slice(root.length),
            uploadId: UploadId,
            startedAt: Initiated ?? new Date(0),
          };
        }
        if (!page.IsTruncated || !page.NextKeyMarker) return;
        from = {
          KeyMarker: page.NextKeyMarker,
          ...(page.NextUploadIdMarker ? { UploadIdMarker: page.NextUploadIdMarker } : {}),
        };
      }
    },
    close() {
      client.destroy();
    },
  };
}

async function bytesOf(source: PartSource): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(source.path)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function infoOf(
  key: string,
  size = 0,
  modified = new Date(0),
  etag: string | undefined,
): ObjectInfo {
  return { key, size, modified, version: `${etag ?? ""}-${modified.getTime()}` };
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    ["NoSuchKey", "NotFound", "NoSuchUpload"].includes(error.name)
  );
}

function encryptionOf(setting: string | undefined) {
  if (setting === undefined) return {};
  if (setting === "AES256") return { ServerSideEncryption: "AES256" as const };
  const key = setting.slice("aws:kms:".length);
  return { ServerSideEncryption: "aws:kms" as const, ...(key ? { SSEKMSKeyId: key } : {}) };
}
