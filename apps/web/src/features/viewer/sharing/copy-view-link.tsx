import { createShare } from "@stipple/contract/routes/visualization";
import { useQueryClient } from "@tanstack/react-query";
import { Check, Link2 } from "lucide-react";
import { useRef, useState } from "react";
import { api } from "../../../app/api.ts";
import { useAttempt } from "../../../app/use-attempt.ts";
import { Button } from "../../../components/button.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { copyText } from "../../../project/share-links/copy-text.ts";
import { ShareAddress } from "../../../project/share-links/share-links.tsx";
import { shareLinkTexts } from "../../../project/share-links/texts.ts";
import { sharingTexts as texts } from "./texts.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { sharesKey } from "./use-ownership.ts";
import { withPicture } from "./with-picture.ts";

const DAYS = 7;

/**
 * Copies a link to what the owner sees: a separate share link, which is in the list and can be revoked there. Until
 * then the same link is reused, with the current view.
 */
export function CopyViewLink({ openShares }: { openShares: readonly { id: string }[] }) {
  const { projectId, store } = useViewer();
  const client = useQueryClient();
  const made = useRef<{ id: string; url: string } | null>(null);
  const { attempt, busy, message } = useAttempt();
  const [outcome, setOutcome] = useState<{ url: string; copied: boolean } | null>(null);

  async function share(): Promise<{ id: string; url: string }> {
    const last = made.current;
    if (last && openShares.some(({ id }) => id === last.id)) return last;
    const body = { days: DAYS, note: texts.copiedNote } as const;
    const { id, url } = await api(createShare, { params: { id: projectId }, body });
    await client.invalidateQueries({ queryKey: sharesKey(projectId) });
    return (made.current = { id, url: url ?? "" });
  }

  const copy = (): Promise<boolean> =>
    attempt(async () => {
      const link = share().then(({ url }) => withPicture(url, store));
      const copied = await copyText(link);
      setOutcome({ url: await link, copied });
    }, shareLinkTexts.createFailed);

  const Icon = outcome?.copied ? Check : Link2;
  return (
    <div className="flex flex-col gap-2">
      <Button className="w-full" busy={busy} icon={Icon} onClick={() => void copy()}>
        {texts.copyView}
      </Button>
      <StatusMessage text={message?.text} failed />
      <div role="status" className="text-[0.8125rem] text-ink-2 empty:hidden">
        {outcome && (outcome.copied ? texts.viewCopied : shareLinkTexts.copyFailed)}
      </div>
      {outcome && !outcome.copied && <ShareAddress url={outcome.url} />}
    </div>
  );
}
