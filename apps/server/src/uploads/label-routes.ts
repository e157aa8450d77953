import { randomUUID } from "node:crypto";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readLabelImage } from "@stipple/contract";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { Projects } from "../projects/projects.ts";
import { copyName } from "./check-own-file.ts";
import { receiveChunk } from "./multipart-chunk.ts";
import type { Uploads } from "./uploads.ts";

/** Label images that are imported as regions. */
export function labelRoutes(
  mount: Mount,
  { projects, uploads, scratch }: { projects: Projects; uploads: Uploads; scratch: Scratch },
): void {
  mount(readLabelImage, async ({ session, params, query, request }) => {
    const [width, height] = [Number(query.width), Number(query.height)];
    if (!(width > 0 && height > 0)) {
      throw new ApiError("invalid_request", "The image's width and height must be above 0.");
    }
    await projects.owned(session.userId, params.id);
    await using chunk = await receiveChunk(request, uploads.spool);
    if (chunk.chunks > 1)
      throw new ApiError(
        "upload_too_large",
        "A label image can have at most 10 MB: save it with compression.",
      );
    const folder = join(scratch.folder, `labels-${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    try {
      const labels = join(folder, copyName(chunk.fileName));
      if ("path" in chunk.source) await copyFile(chunk.source.path, labels);
      else await writeFile(labels, chunk.source);
      const outcome = await uploads.labels({ labels, image: { width, height } });
      if ("fault" in outcome) throw new ApiError("upload_file_invalid", outcome.fault);
      return { status: 200, body: outcome };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
