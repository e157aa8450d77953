import { createShare, listShares, revokeShare } from "@stipple/contract";
import type { Projects } from "../projects/projects.ts";
import type { Shares } from "./shares.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";

export function shareRoutes(
  mount: Mount,
  { projects, shares }: { projects: Projects; shares: Shares },
): void {
  mount(listShares, async ({ session, params }) => {
    const { id } = await projects.owned(session.userId, params.id);
    return { status: 200, body: await shares.list({ kind: "project", id }) };
  });

  mount(
    createShare,
    async ({ results, body }) => ({
      status: 201,
      body: await shares.create({ kind: "project", ...results }, body.days, body.note),
    }),
    {
      explain: () =>
        new ApiError(
          "invalid_request",
          "A share link works for 1, 7 or 30 days: set days to one of these.",
        ),
    },
  );

  mount(revokeShare, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    await shares.revoke({ kind: "project", ...project }, params.share);
    return { status: 200, body: { message: "Share link revoked." } };
  });
}
