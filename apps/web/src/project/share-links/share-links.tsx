import { type ShareLink, SHARE_DAYS } from "@stipple/contract/routes/visualization";
import { useRef, useState, type FormEvent } from "react";
import { useAttempt } from "../../app/use-attempt.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { shareLinkTexts as texts } from "./texts.ts";
import { isTrial } from "@stipple/contract/business/plans";
import { useSession } from "../../app/session.ts";
import { Options, Input, SelectField, TextField } from "../../components/field.tsx";
import { CopyButton } from "./copy-button.tsx";

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
        onConfirm={() => revoking && void end(revoking)}
      />
    </div>
  );
}

interface NewLink {
  days: (typeof SHARE_DAYS)[number];
  note: string;
}

/** Creates a share link and shows its URL, which cannot be retrieved later, until it is revoked. */
function NewShareLink({
  create,
  revoked,
  opens,
  onCreated,
}: {
  create: (link: NewLink) => Promise<ShareLink>;
  /** Links revoked on this page. */
  revoked: readonly string[];
  opens: string;
  onCreated: () => void;
}) {
  const { user, verified } = useSession();
  const [days, setDays] = useState<NewLink["days"]>(7);
  const [note, setNote] = useState("");
  const { attempt, busy, message } = useAttempt();
  const [made, setMade] = useState<ShareLink | null>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    await attempt(async () => {
      setMade(await create({ days, note }));
      setNote("");
      onCreated();
    }, texts.createFailed);
  }

  return (
    <>
      <form className="flex flex-col gap-2" onSubmit={(event) => void submit(event)}>
        <SelectField
          label={texts.days}
          hint={verified && isTrial(user.subscription_tier) ? texts.trialBound : undefined}
          value={days}
          onValue={(value) => setDays(SHARE_DAYS.find((choice) => `${choice}` === value) ?? 7)}
        >
          <Options of={SHARE_DAYS.map((choice) => [choice, texts.dayChoices[choice]])} />
        </SelectField>
        <TextField
          label={texts.note}
          hint={texts.noteHint}
          value={note}
          maxLength={200}
          autoComplete="off"
          onText={setNote}
        />
        <Button type="submit" busy={busy}>
          {texts.createLink}
        </Button>
      </form>
      <StatusMessage text={message?.text} failed />
      <div role="status" className="empty:hidden">
        {made && !revoked.includes(made.id) && <MadeLink share={made} opens={opens} />}
      </div>
    </>
  );
}

function MadeLink({ share, opens }: { share: ShareLink; opens: string }) {
  return (
    <div className="flex flex-col gap-2 rounded-control bg-ok-tint p-3">
      <p className="text-[0.8125rem]">
        {texts.created(share.expires_at)} {opens} <strong>{texts.createdOnce}</strong>
      </p>
      <ShareAddress url={share.url} />
      <CopyButton text={() => share.url ?? ""} />
    </div>
  );
}

/** A link's address, selected as a whole for copying. */
export function ShareAddress({ url }: { url: string | undefined }) {
  return (
    <Input
      readOnly
      aria-label={texts.shareAddress}
      value={url}
      onFocus={(event) => event.target.select()}
      className="font-mono text-xs"
    />
  );
}
