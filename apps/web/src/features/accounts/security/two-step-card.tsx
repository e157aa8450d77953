import {
  accountSecurity,
  sendVerification,
  type AccountSecurity,
} from "@stipple/contract/routes/security";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { api, errorText } from "../../../app/api.ts";
import { lazyPart } from "../../../app/load-code.ts";
import { longDate } from "../../../app/long-date.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { SettingRow } from "../../../components/setting-row.tsx";
import { toast } from "../../../components/toast-store.ts";
import { SIGN_IN_SECURITY_TEXTS as TEXTS } from "./texts.ts";
import { TEXT_LINK } from "../form-page.tsx";
import type { FactorChange } from "./use-factor-change.ts";
import { Loading } from "../../../components/load-failure.tsx";

const KEY = ["account", "security"];

/** Loaded on demand because it includes the passkey and QR code scripts, which few visitors to the profile need. */
const FactorDialog = lazyPart(() => import("./factor-dialog.tsx"), "FactorDialog");

/** Second factors of the sign-in, recovery codes, and whether the email address is confirmed. */
export function TwoStepCard() {
  const queries = useQueryClient();
  const security = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api(accountSecurity, { signal }),
  });
  const [change, setChange] = useState<FactorChange | null>(null);
  /** Stays true once opened, so that the dialog can fade out. */
  const [wasOpened, setWasOpened] = useState(false);
  const begin = (next: FactorChange): void => {
    setWasOpened(true);
    setChange(next);
  };
  return (
    <Card title={TEXTS.title} description={TEXTS.description}>
      {security.data ? (
        <Rows security={security.data} onChange={begin} />
      ) : (
        <Loading query={security} texts={TEXTS} height="h-60" />
      )}
      {wasOpened && (
        <Suspense>
          <FactorDialog
            change={change}
            onClose={() => {
              setChange(null);
              void queries.invalidateQueries({ queryKey: ["account"] });
            }}
          />
        </Suspense>
      )}
    </Card>
  );
}

function Rows({
  security,
  onChange,
}: {
  security: AccountSecurity;
  onChange: (change: FactorChange) => void;
}) {
  const { totp_since: since, passkeys, recovery_codes_left: left } = security;
  const hasFactor = since !== null || passkeys.length > 0;
  return (
    <div className="divide-y divide-line">
      <SettingRow title={TEXTS.appTitle} text={since ? TEXTS.appOn(longDate(since)) : TEXTS.appOff}>
        {since ? (
          <Button size="sm" onClick={() => onChange({ kind: "remove-totp" })}>
            {TEXTS.appRemove}
          </Button>
        ) : (
          <Button size="sm" onClick={() => onChange({ kind: "totp" })}>
            {TEXTS.appAdd}
          </Button>
        )}
      </SettingRow>
      <SettingRow
        title={TEXTS.passkeysTitle}
        text={passkeys.length > 0 ? TEXTS.passkeysText : TEXTS.passkeysNone}
        below={
          passkeys.length > 0 && (
            <ul className="mt-2 w-full divide-y divide-line rounded-card border border-line">
              {passkeys.map((passkey) => (
                <li key={passkey.id} className="flex flex-wrap items-center gap-3 px-4 py-2">
                  <div className="min-w-0 flex-1 basis-40">
                    <p className="font-medium break-words">{passkey.name}</p>
                    <p className="text-[0.8125rem] text-ink-3">{datesOf(passkey)}</p>
                  </div>
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={`${TEXTS.passkeyRemove} ${passkey.name}`}
                    onClick={() => onChange({ kind: "remove-passkey", ...passkey })}
                  >
                    {TEXTS.passkeyRemove}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      >
        <Button size="sm" onClick={() => onChange({ kind: "passkey" })}>
          {TEXTS.passkeyAdd}
        </Button>
      </SettingRow>
      {hasFactor && (
        <SettingRow title={TEXTS.codesTitle} text={TEXTS.codesLeft(left)}>
          <Button size="sm" onClick={() => onChange({ kind: "renew-codes" })}>
            {TEXTS.codesRenew}
          </Button>
        </SettingRow>
      )}
      {(security.email_verified || security.can_verify_email) && <EmailRow security={security} />}
    </div>
  );
}

function datesOf(passkey: AccountSecurity["passkeys"][number]): string {
  const added = TEXTS.passkeyAdded(longDate(passkey.created_at));
  const { last_used_at: used } = passkey;
  return used ? `${added}, ${TEXTS.passkeyUsed(longDate(used))}` : added;
}

/** Nothing depends on a confirmed address, so the note is unobtrusive. */
function EmailRow({ security }: { security: AccountSecurity }) {
  const [outbox, setOutbox] = useState<string | null>(null);
  const sending = useMutation({
    mutationFn: () => api(sendVerification),
    onSuccess: ({ message, outbox_url }) => {
      setOutbox(outbox_url);
      toast(message, { ok: true });
    },
    onError: (error) => toast(errorText(error, TEXTS.sendFailed), { failed: true }),
  });
  if (security.email_verified) {
    return <SettingRow title={TEXTS.emailTitle} text={TEXTS.emailConfirmed} />;
  }
  return (
    <SettingRow
      title={TEXTS.emailTitle}
      text={TEXTS.emailUnconfirmed}
      below={
        outbox && (
          <a href={outbox} target="_blank" rel="noreferrer" className={TEXT_LINK}>
            {TEXTS.outbox}
          </a>
        )
      }
    >
      <Button size="sm" busy={sending.isPending} onClick={() => sending.mutate()}>
        {TEXTS.sendAgain}
      </Button>
    </SettingRow>
  );
}
