import type { OpenViewer } from "../state/viewer-context.tsx";
import { annotationServer } from "./annotation-server.ts";
import { bindGroups } from "./bind-groups.ts";
import { bindNames } from "./bind-names.ts";
import { bindClusterings } from "../clusters/bind-clusterings.ts";
import { bindGeneLists } from "../gene-sets/bind-gene-lists.ts";
import { openDrafts } from "./drafts.ts";
import { syncAnnotations } from "./sync.ts";

/** Connects a page's annotations to the server, to this browser's drafts, and to what the page shows. */
export function startAnnotations({
  annotations,
  store,
  token,
  projectId,
  source: { manifest },
}: Pick<OpenViewer, "annotations" | "store" | "token" | "projectId" | "source">): () => void {
  const drafts = openDrafts(projectId, () => localStorage);
  const stops = [
    bindNames(store, annotations, manifest),
    bindGroups(store, annotations, manifest.nCells),
    bindClusterings(store, annotations, manifest.nCells),
    bindGeneLists(store, annotations),
    // Last, so that changes made while this ends are kept.
    syncAnnotations(annotations, annotationServer(token, projectId), drafts),
  ];
  return () => stops.forEach((stop) => stop());
}
