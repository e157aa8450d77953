import {
  createStudyShare,
  listStudyShares,
  revokeStudyShare,
} from "@stipple/contract/routes/study-sharing";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { ShareLinks } from "../../project/share-links/share-links.tsx";
import { SHARE_TEXTS as TEXTS } from "./texts.ts";
import { studyKey } from "./use-studies.ts";

/** Share links of a study. */
export function ShareStudyDialog({
  studyId,
  open,
  onClose,
}: {
  studyId: string;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={TEXTS.title} description={TEXTS.text}>
      {open && <StudyLinks id={studyId} />}
    </Dialog>
  );
}

function StudyLinks({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery({
    queryKey: [...studyKey(id), "shares"],
    queryFn: ({ signal }) => api(listStudyShares, { params: { id }, signal }),
  });
  return (
    <ShareLinks
      links={{
        ...{ shares: data ?? [], failed: isError },
        create: (body) => api(createStudyShare, { params: { id }, body }),
        revoke: (share) => api(revokeStudyShare, { params: { id, share } }),
        renew: refetch,
      }}
      opens={TEXTS.opens}
    />
  );
}
