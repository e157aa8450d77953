import { createStudyShare, listStudyShares, revokeStudyShare } from "@stipple/contract";
import type { Mount } from "../http/route-adapter.ts";
import type { Shares } from "../visualization/shares.ts";
import type { Studies } from "./studies.ts";

/** The owner's share links of a study. */
export function studyShareRoutes(
  mount: Mount,
  { studies, shares }: { studies: Studies; shares: Shares },
): void {
  mount(listStudyShares, async ({ session, params }) => {
    const { id } = await studies.owned(session.userId, params.id);
    return { status: 200, body: await shares.list({ kind: "study", id }) };
  });

  mount(createStudyShare, async ({ results: study, body }) => ({
    status: 201,
    body: await shares.create({ kind: "study", ...study }, body.days, body.note),
  }));

  mount(revokeStudyShare, async ({ session, params }) => {
    const study = await studies.owned(session.userId, params.id);
    await shares.revoke({ kind: "study", ...study }, params.share);
    return { status: 200, body: { message: "Share link revoked." } };
  });
}
