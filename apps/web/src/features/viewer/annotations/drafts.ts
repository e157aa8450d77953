import * as z from "zod/mini";
import { ANNOTATION_KINDS, annotationId, type AnnotationKind } from "@stipple/contract/annotations";
import type { Batch, Request } from "./annotation-store.ts";
import { newId } from "./new-id.ts";

const kinds = Object.keys(ANNOTATION_KINDS) as [AnnotationKind, ...AnnotationKind[]];
const writtenBatches = z.array(
  z.object({
    id: z.uuid(),
    changes: z.array(
      z.object({
        id: annotationId,
        kind: z.enum(kinds),
        value: z.nullable(z.record(z.string(), z.unknown())),
        based: z.nullable(z.int()),
      }),
    ),
  }),
);

export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** What could not be sent yet, kept in the browser under a key of its own for each page. */
export interface Drafts {
  /** Takes over what earlier pages left. A request that one of them still sends as well changes nothing twice. */
  take(): Batch[];
  /** Whether nothing would be lost with the page: false if storage is blocked or full. */
  keep(pending: readonly Request[]): boolean;
}

export function openDrafts(projectId: string, storage: () => DraftStorage): Drafts {
  const prefix = `stipple.annotations.${projectId}.`;
  const own = prefix + newId();
  return {
    take() {
      try {
        const place = storage();
        const keys = Array.from({ length: place.length }, (_, at) => place.key(at) ?? "");
        return keys
          .filter((key) => key.startsWith(prefix) && key !== own)
          .flatMap((key) => {
            const batches = batchesIn(place.getItem(key));
            place.removeItem(key);
            return batches;
          });
      } catch {
        return [];
      }
    },
    keep(pending) {
      const batches = pending.filter((request) => typeof request !== "string");
      try {
        if (batches.length === 0) storage().removeItem(own);
        else storage().setItem(own, JSON.stringify(batches));
        return true;
      } catch {
        return batches.length === 0;
      }
    },
  };
}

function batchesIn(text: string | null): Batch[] {
  try {
    const read = writtenBatches.safeParse(JSON.parse(text ?? "[]"));
    return read.success ? (read.data as Batch[]) : [];
  } catch {
    return [];
  }
}
