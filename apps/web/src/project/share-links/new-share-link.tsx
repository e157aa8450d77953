import { isTrial } from "@stipple/contract/business/plans";
import { SHARE_DAYS, type ShareLink } from "@stipple/contract/routes/visualization";
import { useState, type FormEvent } from "react";
import { useSession } from "../../app/session.ts";
import { useAttempt } from "../../app/use-attempt.ts";
import { Button } from "../../components/button.tsx";
import { Input, SelectField, TextField } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { CopyButton } from "./copy-button.tsx";
import { shareLinkTexts as texts } from "./texts.ts";

export interface NewLink {
  days: (typeof SHARE_DAYS)[number];
  note: string;
}

/** Creates a share link and shows its URL, which cannot be retrieved later, until it is revoked. */
export function NewShareLink({
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
          {SHARE_DAYS.map((choice) => (
            <option key={choice} value={choice}>
              {texts.dayChoices[choice]}
            </option>
          ))}
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
      <Input
        readOnly
        aria-label={texts.shareAddress}
        value={share.url}
        onFocus={(event) => event.target.select()}
        className="font-mono text-xs"
      />
      <CopyButton text={() => share.url ?? ""} />
    </div>
  );
}
