import { createReadStream, createWriteStream, ReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat as statFile, readFile } from "node:fs/promises";
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
  S3ServiceException,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { CHUNK_BYTES } from "@stipple/contract";
import type { StorageSettings } from "../open-storage.ts";
import {
  assertKey,
  MissingObjectError,
  type ByteRange,
  type ObjectInfo,
  type Storage,
  type StoredPart,
  type UnfinishedParts,
} from "../storage.ts";
import { bucketOf, s3Client } from "./client.ts";

const REMOVED_AT_ONCE = 1000;
/** How often an interrupted download is resumed. */
const DOWNLOAD_TRIES = 5;

/** A bucket, and what is before every key. */
interface Bucket {
  client: S3Client;
  name: string;
  root: string;
  encryption: ReturnType<typeof encryptionOf>;
}

/** Storage in a bucket of S3 or a compatible server. Sends no request yet. */
export function openS3(settings: StorageSettings): Storage {
  const { bucket: name, root } = bucketOf(settings.address);
  const client = s3Client(settings.s3);
  const bucket = { client, name, root, encryption: encryptionOf(settings.s3.encryption) };
  return {
    stat: (key) => stat(bucket, key),
    get: (key, range) => get(bucket, key, range),
    beginParts: (key) => beginParts(bucket, key),
    completeParts: (key, uploadId, parts) => completeParts(bucket, key, uploadId, parts),
    abortParts: (key, uploadId) => abortParts(bucket, key, uploadId),
    put: (key, source) => put(bucket, key, source),
    putFile: (key, path) => put(bucket, key, createReadStream(path)),
    async putPart(key, uploadId, index, source) {
      const bytes = source instanceof Uint8Array ? source : await readFile(source.path);
      return sendPart(bucket, key, uploadId, index, bytes);
    },
    list: (prefix) => list(bucket, prefix),
    remove: (keys) => remove(bucket, keys),
    fetchTo: (key, path, signal) => fetchTo(bucket, key, path, signal),
    listParts: (prefix) => listParts(bucket, prefix),
    close: () => client.destroy(),
  };
}

function at({ name, root }: Bucket, key: string): { Bucket: string; Key: string } {
  assertKey(key);
  return { Bucket: name, Key: root + key };
}

function folderOf({ root }: Bucket, prefix: string): string {
  if (prefix === "") return root;
  assertKey(prefix);
  return `${root}${prefix}/`;
}

async function stat(bucket: Bucket, key: string): Promise<ObjectInfo | null> {
  try {
    const head = await bucket.client.send(new HeadObjectCommand(at(bucket, key)));
    return infoOf(key, head.ContentLength, head.LastModified, head.ETag);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function get(
  bucket: Bucket,
  key: string,
  range?: ByteRange,
  abortSignal?: AbortSignal,
): Promise<Readable> {
  try {
    const { Body } = await bucket.client.send(
      new GetObjectCommand({
        ...at(bucket, key),
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

async function beginParts(bucket: Bucket, key: string): Promise<string> {
  const command = new CreateMultipartUploadCommand({ ...at(bucket, key), ...bucket.encryption });
  const { UploadId } = await bucket.client.send(command);
  if (!UploadId) throw new Error(`The storage returned no id for the upload of ${key}`);
  return UploadId;
}

async function sendPart(
  bucket: Bucket,
  key: string,
  uploadId: string,
  index: number,
  body: Uint8Array,
) {
  try {
    const { ETag } = await bucket.client.send(
      new UploadPartCommand({
        ...at(bucket, key),
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
  bucket: Bucket,
  key: string,
  uploadId: string,
  parts: readonly StoredPart[],
): Promise<void> {
  const Parts = parts
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, tag }) => ({ PartNumber: index + 1, ETag: tag }));
  try {
    await bucket.client.send(
      new CompleteMultipartUploadCommand({
        ...at(bucket, key),
        UploadId: uploadId,
        MultipartUpload: { Parts },
      }),
    );
  } catch (error) {
    if (!isMissing(error)) throw error;
    // The response to the first attempt was lost.
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    if ((await stat(bucket, key))?.size === size) return;
    throw new MissingObjectError(`No upload ${uploadId} of ${key}`, { cause: error });
  }
}

async function abortParts(bucket: Bucket, key: string, uploadId: string): Promise<void> {
  try {
    await bucket.client.send(
      new AbortMultipartUploadCommand({ ...at(bucket, key), UploadId: uploadId }),
    );
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** An object of any length: at once when it is short, in parts otherwise. */
async function put(
  bucket: Bucket,
  key: string,
  source: Readable | Uint8Array | string,
): Promise<void> {
  const upload = new Upload({
    client: bucket.client,
    params: { ...at(bucket, key), ...bucket.encryption, Body: source },
    // The library chooses a file's from its size. Others have at most 10,000 of these.
    ...(source instanceof ReadStream ? {} : { partSize: CHUNK_BYTES }),
  });
  await upload.done();
}

async function* list(bucket: Bucket, prefix: string): AsyncGenerator<ObjectInfo> {
  const { client, name, root } = bucket;
  const pages = paginateListObjectsV2(
    { client },
    { Bucket: name, Prefix: folderOf(bucket, prefix) },
  );
  for await (const { Contents } of pages) {
    for (const { Key, Size, LastModified, ETag } of Contents ?? []) {
      if (Key !== undefined) yield infoOf(Key.slice(root.length), Size, LastModified, ETag);
    }
  }
}

async function remove(bucket: Bucket, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
    const Objects = keys
      .slice(from, from + REMOVED_AT_ONCE)
      .map((key) => ({ Key: at(bucket, key).Key }));
    const { Errors } = await bucket.client.send(
      new DeleteObjectsCommand({ Bucket: bucket.name, Delete: { Objects, Quiet: true } }),
    );
    const fault = Errors?.find(({ Code }) => Code !== "NoSuchKey");
    if (fault) throw new Error(`${fault.Key} could not be removed: ${fault.Message ?? fault.Code}`);
  }
}

async function fetchTo(
  bucket: Bucket,
  key: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const info = await stat(bucket, key);
  if (!info) throw new MissingObjectError(`No object ${key}`);
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    await (await open(draft, "w")).close();
    let tries = 1;
    for (let have = 0; have < info.size; have = (await statFile(draft)).size) {
      try {
        const rest = await get(bucket, key, { start: have, end: info.size - 1 }, signal);
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
}

async function* listParts(bucket: Bucket, prefix: string): AsyncGenerator<UnfinishedParts> {
  const { client, name, root } = bucket;
  let from: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const page = await client.send(
      new ListMultipartUploadsCommand({ Bucket: name, Prefix: folderOf(bucket, prefix), ...from }),
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
