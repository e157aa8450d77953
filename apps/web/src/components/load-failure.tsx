import { Button } from "./button.tsx";
import { StatusMessage } from "./status-message.tsx";

/** Shown in place of content that could not be loaded. */
export function LoadFailure({
  text,
  action,
  onRetry,
}: {
  text: string;
  action: string;
  onRetry: () => void;
}) {
  return (
    <div className="flex flex-col items-start gap-3">
      <StatusMessage failed text={text} className="w-full" />
      <Button onClick={onRetry}>{action}</Button>
    </div>
  );
}
