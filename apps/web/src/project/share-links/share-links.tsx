import type { ShareLink } from "@stipple/contract/routes/visualization";
import { useRef, useState } from "react";
import { useAttempt } from "../../app/use-attempt.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { NewShareLink, type NewLink } from "./new-share-link.tsx";
import { shareLinkTexts as texts } from "./texts.ts";

/** The owner's share links of a project or a study, and how they change. */
export interface SharedByLinks {
  shares: readonly ShareLink[];
  /** Whether the links could not be loaded. */
  failed: boolean;
  create: (link: NewLink) => Promise<ShareLink>;
  revoke: (shareId: string) => Promise<unknown>;
  /** Loads the links again. */
  renew: () => Promise<unknown>;
}

/** Creates, lists, and revokes the owner's share links. */
export function ShareLinks({
  links: { shares, failed, create, revoke, renew },
  opens,
}: {
  links: SharedByLinks;
  /** What a new link opens: a sentence. */
  opens: string;
}) {
  const { attempt, message, setMessage } = useAttempt();
  const [revoking, setRevoking] = useState<ShareLink | null>(null);
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  const section = useRef<HTMLDivElement>(null);

  async function end(share: ShareLink): Promise<void> {
    setRevoking(null);
    await attempt(async () => {
      await revoke(share.id);
      setRevoked((before) => [...before, share.id]);
      await renew();
      setMessage({ text: texts.revoked, failed: false });
      // The pressed button no longer exists.
      section.current?.focus();
    }, texts.revokeFailed);
  }

  return (
    <div ref={section} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      {failed && <StatusMessage text={texts.linksFailed} failed />}
      {shares.length === 0 ? (
        !failed && <p className="text-ink-3">{texts.noLinks}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {shares.map((share) => (
            <li key={share.id} className="flex items-center gap-2">
              <div className="min-w-0 flex-1">
                <p className="truncate" title={share.note}>
                  {share.note || <span className="text-ink-3">{texts.noNote}</span>}
                </p>
                <p className="text-[0.8125rem] text-ink-3">{texts.linkExpires(share.expires_at)}</p>
              </div>
              <Button
                size="sm"
                variant="ghost"
                className="text-bad!"
                aria-label={texts.revokeOf(share.note, share.expires_at)}
                onClick={() => setRevoking(share)}
              >
                {texts.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewShareLink {...{ create, revoked, opens }} onCreated={() => void renew()} />
      <StatusMessage text={message?.text} failed={message?.failed ?? false} />
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={texts.revokeTitle}
        description={texts.revokeText}
        action={texts.revoke}
        cancel={texts.cancel}
        onConfirm={() => revoking && void end(revoking)}
      />
    </div>
  );
}
