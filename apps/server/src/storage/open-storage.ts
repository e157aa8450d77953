import { StorageError } from "./check-storage.ts";
import { openLocalFolder } from "./local-folder.ts";
import type { Storage } from "./storage.ts";

/** Where the files are and how to access them. */
export interface StorageSettings {
  /** `file:DIR` or `s3://BUCKET/PREFIX`. */
  address: string;
  s3: {
    /** undefined = Amazon's. */
    endpoint: string | undefined;
    region: string | undefined;
    /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
    pathStyle: boolean;
    /** Server-side encryption: "AES256", "aws:kms" or "aws:kms:KEY"; undefined = as the bucket says. */
    encryption: string | undefined;
    /** undefined = the SDK's usual sources: profiles, the machine's role. */
    credentials:
      { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
  };
}

export async function openStorage(settings: StorageSettings): Promise<Storage> {
  const { address } = settings;
  if (address.startsWith("file:")) {
    const folder = address.slice("file:".length);
    return openLocalFolder(folder).catch((cause: unknown) => {
      throw new StorageError(
        `Stipple cannot use the storage folder ${folder} (${(cause as NodeJS.ErrnoException).code}): give this account write permission, or set STIPPLE_STORAGE to another folder.`,
        { cause },
      );
    });
  }
  // The SDK is large, and local folders do not need it.
  const { openS3 } = await import("./s3/open-s3.ts");
  return openS3(settings);
}
