import { Notice } from "../../components/notice.tsx";
import { STUDIES_TEXTS } from "./texts.ts";

/** Why a study has no answer, and for guests who can do something about it. */
export function RefusalNotice({
  title,
  refusal,
  isShared,
}: {
  title: string;
  refusal: string | null;
  isShared: boolean;
}) {
  return (
    <Notice tone="warn" title={title} className="mx-4 mb-6 md:mx-6">
      <p>{refusal}</p>
      {isShared && <p className="mt-1">{STUDIES_TEXTS.ownerChanges}</p>}
    </Notice>
  );
}
