import { Button } from "../../components/button.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { DASHBOARD_TEXTS as TEXTS } from "../../texts/projects.ts";

/** What stands in place of the projects when they could not be loaded. */
export function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-col items-start gap-3 px-6 pb-6">
      <StatusMessage failed text={TEXTS.loadFailed} className="w-full" />
      <Button onClick={onRetry}>{TEXTS.tryAgain}</Button>
    </div>
  );
}
