import { Notice } from "../../components/notice.tsx";
import { SplitButton } from "./split-button.tsx";
import { pieceTexts as TEXTS } from "./texts.ts";
import { usePieces } from "./use-pieces.ts";

/** Says that a slide has several pieces of tissue, and offers to split it; nothing if it has one. */
export function PiecesNotice({
  projectId,
  isComplete,
  version,
}: {
  projectId: string;
  isComplete: boolean;
  version: string;
}) {
  const found = usePieces(projectId, isComplete, version);
  if (found.pieces.length === 0) return null;
  return (
    <Notice
      tone="info"
      title={TEXTS.found(found.pieces.length)}
      actions={<SplitButton projectId={projectId} found={found} />}
    >
      {TEXTS.hint}
    </Notice>
  );
}
