import { listShares } from "@stipple/contract/routes/visualization";
import { useQuery } from "@tanstack/react-query";
import { api, ApiError } from "../../../app/api.ts";
import { useSession } from "../../../app/session.ts";
import { useViewer } from "../state/viewer-context.tsx";

/** Who is viewing: the project's owner, signed in to this browser, or why the viewer does not count as the owner. */
export type ViewerRole = "unknown" | "owner" | "readOnly" | "signedOut" | "other";

export const sharesKey = (projectId: string) => ["viewer-shares", projectId];

/** Determines ownership by requesting the share links, which only the owner may list. */
export function useOwnership() {
  const { projectId, readOnly } = useViewer();
  const { state } = useSession();
  const asks = !readOnly && state === "in";
  const query = useQuery({
    queryKey: sharesKey(projectId),
    enabled: asks,
    queryFn: ({ signal }) => api(listShares, { params: { id: projectId }, signal }),
  });
  const refused = query.error instanceof ApiError && query.error.status === 404;
  const role: ViewerRole = readOnly
    ? "readOnly"
    : state === "out"
      ? "signedOut"
      : refused
        ? "other"
        : query.data
          ? "owner"
          : "unknown";
  return { role, shares: query.data ?? [], failed: query.isError && !refused };
}
