import { isTrial } from "@stipple/contract/business/plans";
import {
  createShare,
  revokeShare,
  SHARE_DAYS,
  type ShareLink,
} from "@stipple/contract/routes/visualization";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { api, errorText } from "../../../app/api.ts";
import { useSession } from "../../../app/session.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field, Input, Select } from "../../../components/field.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { sharingTexts as texts } from "./texts.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { CopyButton } from "./copy-button.tsx";
import { sharesKey } from "./use-ownership.ts";
import { withPicture } from "./with-picture.ts";

/** Creates, lists, and revokes the owner's share links. */
export function ShareLinksSection({
  shares,
  failed,
}: {
  shares: readonly ShareLink[];
  failed: boolean;
}) {
  const { projectId } = useViewer();
  const client = useQueryClient();
  const [message, setMessage] = useState<{ text: string; failed: boolean } | null>(null);
  const [revoking, setRevoking] = useState<ShareLink | null>(null);
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  const section = useRef<HTMLDivElement>(null);
  const renew = () => client.invalidateQueries({ queryKey: sharesKey(projectId) });

  async function revoke(share: ShareLink): Promise<void> {
    setRevoking(null);
    try {
      await api(revokeShare, { params: { id: projectId, share: share.id } });
      setRevoked((before) => [...before, share.id]);
      await renew();
      setMessage({ text: texts.revoked, failed: false });
      // The pressed button no longer exists.
      section.current?.focus();
    } catch (error) {
      setMessage({ text: errorText(error, texts.revokeFailed), failed: true });
    }
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
      <NewShareLink revoked={revoked} onCreated={() => void renew()} />
      <StatusMessage text={message?.text} failed={message?.failed ?? false} />
      <Dialog
        alert
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={texts.revokeTitle}
        description={texts.revokeText}
        actions={
          <>
            <Button onClick={() => setRevoking(null)}>{texts.cancel}</Button>
            <Button variant="danger" onClick={() => revoking && void revoke(revoking)}>
              {texts.revoke}
            </Button>
          </>
        }
      />
    </div>
  );
}

/** Creates a share link and shows its URL, which cannot be retrieved later, until it is revoked. */
function NewShareLink({
  revoked,
  onCreated,
}: {
  /** Links revoked on this page. */
  revoked: readonly string[];
  onCreated: () => void;
}) {
  const { projectId, store } = useViewer();
  const { user, verified } = useSession();
  const [days, setDays] = useState<(typeof SHARE_DAYS)[number]>(7);
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<{ id: string; url: string; expiresAt: string } | null>(null);
  const [error, setError] = useState<string | null>(null);

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const body = { days, note };
      const share = await api(createShare, { params: { id: projectId }, body });
      const url = withPicture(share.url ?? "", store);
      setMade({ id: share.id, url, expiresAt: share.expires_at });
      setNote("");
      onCreated();
    } catch (failure) {
      setError(errorText(failure, texts.createFailed));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <form className="flex flex-col gap-2" onSubmit={(event) => void create(event)}>
        <Field
          label={texts.days}
          hint={verified && isTrial(user.subscription_tier) ? texts.trialBound : undefined}
        >
          {(control) => (
            <Select
              {...control}
              value={days}
              onChange={(event) =>
                setDays(SHARE_DAYS.find((choice) => `${choice}` === event.target.value) ?? 7)
              }
            >
              {SHARE_DAYS.map((choice) => (
                <option key={choice} value={choice}>
                  {texts.dayChoices[choice]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={texts.note} hint={texts.noteHint}>
          {(control) => (
            <Input
              {...control}
              value={note}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" busy={busy}>
          {texts.createLink}
        </Button>
      </form>
      <StatusMessage text={error} failed />
      <div role="status" className="empty:hidden">
        {made && !revoked.includes(made.id) && (
          <div className="flex flex-col gap-2 rounded-control bg-ok-tint p-3">
            <p className="text-[0.8125rem]">
              {texts.created(made.expiresAt)} <strong>{texts.createdOnce}</strong>
            </p>
            <Input
              readOnly
              aria-label={texts.shareAddress}
              value={made.url}
              onFocus={(event) => event.target.select()}
              className="font-mono text-xs"
            />
            <CopyButton text={() => made.url} />
          </div>
        )}
      </div>
    </>
  );
}
