import type * as z from "zod/mini";
import { join } from "node:path";
import {
  keepReference,
  listReferences,
  removeReference,
  takeReference,
  type ListedReference,
} from "@stipple/contract";
import { REFERENCE_SLOT } from "@stipple/contract/platforms/shared-slots";
import { byTissueAndName, type KeptReference } from "@stipple/contract/kept-reference";
import { knownTissue } from "@stipple/contract/tissues";
import { serializeByKey } from "../operations/serialize-by-key.ts";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import type { Projects } from "../projects/projects.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { Uploads } from "./uploads.ts";
import { ApiError } from "../http/api-error.ts";
import { ok, type Mount } from "../http/route-adapter.ts";
import { ContentError } from "../outputs/content.ts";
import { MissingObjectError, type Storage } from "../storage/storage.ts";
import {
  BUILT_IN,
  dropReference,
  EVERYONE,
  fetchReference,
  listReferences as listOf,
  MAX_KEPT,
} from "../references/references.ts";

type Owned = KeptReference & { owner: string };

interface ReferenceParts {
  projects: Projects;
  uploads: Uploads;
  storage: Storage;
  scratch: Scratch;
}

export function referenceRoutes(mount: Mount, parts: ReferenceParts): void {
  const { projects, uploads, storage, scratch } = parts;

  async function visible(userId: string): Promise<Owned[]> {
    const owners = [BUILT_IN, EVERYONE, userId];
    const lists = await Promise.all(owners.map((owner) => listOf(storage, owner)));
    return lists
      .flatMap((list, i) => list.map((kept) => ({ ...kept, owner: owners[i] })))
      .sort(byTissueAndName);
  }

  mount(listReferences, async ({ session }) => ok((await visible(session.userId)).map(listed)));

  mount(takeReference, async ({ session, params, body }) => {
    const project = await projects.ownedAndIdle(session.userId, params.id);
    const kept = (await visible(session.userId)).find(({ sha256 }) => sha256 === body.reference_id);
    if (!kept) throw new ApiError("reference_not_found");
    await withTemporaryFolder(scratch.folder, async (folder) => {
      const copy = join(folder, "reference.h5ad");
      await fetchReference(storage, kept.owner, kept, copy);
      await uploads.put(project.id, REFERENCE_SLOT, copy, `${kept.name}.h5ad`);
    }).catch((error: unknown) => {
      if (error instanceof ContentError || error instanceof MissingObjectError) {
        throw new ApiError("reference_not_found", undefined, { cause: error });
      }
      throw error;
    });
    return ok({ message: `This project now uses the reference ${kept.name}.` });
  });

  // One after the other: of two with a name, one is kept.
  const inTurn = serializeByKey<string>();
  mount(keepReference, ({ session: { userId }, body }) => inTurn(userId, () => keep(userId, body)));

  async function keep(userId: string, body: z.output<typeof keepReference.body>) {
    const { project_id: projectId, labels: labelColumn, tissue, ...about } = body;
    const project = await projects.owned(userId, projectId);
    const known = await visible(userId);
    if (known.some(({ name }) => name === about.name)) {
      throw new ApiError("reference_refused", `A reference ${about.name} is kept already.`);
    }
    if (known.filter(({ owner }) => owner === userId).length >= MAX_KEPT) {
      throw new ApiError("reference_refused", `You keep ${MAX_KEPT} references: remove one first.`);
    }
    const fault = await uploads.keepReference(project.id, userId, {
      ...about,
      tissue: knownTissue(tissue) ?? tissue.toLowerCase(),
      labelColumn,
    });
    if (fault !== null) throw new ApiError("reference_refused", fault);
    const kept = (await visible(userId)).find(({ name }) => name === about.name);
    if (!kept) throw new ApiError("reference_not_found");
    return { status: 201 as const, body: listed(kept) };
  }

  mount(removeReference, async ({ session, params }) => {
    const own = await listOf(storage, session.userId);
    const kept = own.find(({ sha256 }) => sha256 === params.id);
    if (!kept) throw new ApiError("reference_not_found");
    await dropReference(storage, session.userId, kept);
    return ok({ message: `Reference ${kept.name} removed.` });
  });
}

function listed({ sha256, owner, ...kept }: Owned): ListedReference {
  const { name, tissue, species, labels, cells, genes, source, citation, license } = kept;
  const about = { name, tissue, species, labels, cells, genes, source, citation, license };
  const isBuiltIn = owner === BUILT_IN;
  const isOwn = !isBuiltIn && owner !== EVERYONE;
  return { id: sha256, ...about, is_own: isOwn, is_built_in: isBuiltIn };
}
