import {
  Clock,
  FileX2,
  LockKeyhole,
  MonitorX,
  RefreshCw,
  Unlink,
  WifiOff,
  type LucideIcon,
} from "lucide-react";
import { useState, type ReactNode } from "react";
import { ApiError } from "../../app/api.ts";
import { Logo } from "../../app/logo.tsx";
import { endSession } from "../../app/session.ts";
import { storedToken } from "../../app/token.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { failureTexts } from "./sharing/texts.ts";
import { endOfError, type ViewEnd } from "./sharing/view-end.ts";

/** Why there is no view to show. */
export type ViewFailureName =
  ViewEnd | "invalid" | "notReady" | "outdated" | "damaged" | "network" | "webgl";

export function failureOf(error: Error): ViewFailureName {
  if (!(error instanceof ApiError)) return "network";
  if (error.code === "results_not_ready") return "notReady";
  if (error.code === "results_outdated") return "outdated";
  if (error.code === "file_damaged") return "damaged";
  return endOfError(error) ?? (error.status === 404 ? "invalid" : "network");
}

const ICONS: Partial<Record<ViewFailureName, LucideIcon>> = {
  webgl: MonitorX,
  network: WifiOff,
  expired: Clock,
  trialEnded: Clock,
  planEnded: Clock,
  notReady: Clock,
  session: LockKeyhole,
  deleted: FileX2,
  changed: RefreshCw,
  outdated: FileX2,
  damaged: FileX2,
};

/** The page shown instead of a view that cannot be shown: what happened, and what to do next. */
export function ViewFailure({
  kind,
  error,
  onRetry,
}: {
  kind: ViewFailureName;
  error?: Error;
  onRetry?: () => void;
}) {
  const { title, text } = failureTexts[kind];
  // The server's sentence names the file and the step.
  const reason = kind === "damaged" && error ? error.message : text;
  const Icon = ICONS[kind] ?? Unlink;
  return (
    <Centered>
      <div className="mb-10 flex justify-center">
        <Logo />
      </div>
      <div role="alert">
        <Icon aria-hidden className="mx-auto size-10 text-ink-3" />
        <h1 className="mt-4 text-xl">{title}</h1>
        <p className="mt-2 text-ink-2 [overflow-wrap:anywhere]">{reason}</p>
      </div>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        {onRetry && (kind === "network" || kind === "notReady") && (
          <Button variant="primary" onClick={onRetry}>
            {failureTexts.retry}
          </Button>
        )}
        {(kind === "trialEnded" || kind === "planEnded") && (
          <ButtonLink variant="primary" to="/pricing">
            {failureTexts.toPricing}
          </ButtonLink>
        )}
        {kind === "changed" && (
          <Button variant="primary" onClick={() => window.location.reload()}>
            {failureTexts.reload}
          </Button>
        )}
        {kind === "session" && <LogInAgain />}
        {kind === "revoked" ? (
          <ButtonLink to="/">{failureTexts.toStart}</ButtonLink>
        ) : (
          kind !== "session" && <ButtonLink to="/projects">{failureTexts.toProjects}</ButtonLink>
        )}
      </div>
    </Centered>
  );
}

/** Links to the login page, which leads back here. A refused token would keep it from asking the user to sign in. */
function LogInAgain() {
  const [token] = useState(storedToken);
  // Another tab may have signed in in the meantime.
  const forget = () => {
    if (storedToken() === token) endSession();
  };
  return (
    <ButtonLink variant="primary" to="/login" onClick={forget}>
      {failureTexts.toLogin}
    </ButtonLink>
  );
}

/** A full page with centered content. */
export function Centered({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="max-w-md text-center">{children}</div>
    </main>
  );
}
