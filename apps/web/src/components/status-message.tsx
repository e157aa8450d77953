import { CircleAlert, Info } from "lucide-react";
import { joinClasses } from "./join-classes.ts";
import { messageTone } from "./message-tone.ts";
import { TONE_CLASSES } from "./status-pill.tsx";

/**
 * An inline message, announced when it changes. Red if it contains 'Error', otherwise blue; with `failed` it has the icon
 * of an error in either color. Null shows nothing.
 */
export function StatusMessage({
  text,
  reason,
  failed = false,
  className,
}: {
  text: string | null | undefined;
  /** Stands after the text in its own element, so that the text can be found word for word. */
  reason?: string | undefined;
  failed?: boolean;
  className?: string;
}) {
  const tone = messageTone(text ?? "");
  const isFailure = Boolean(text) && (failed || tone === "bad");
  const Icon = isFailure ? CircleAlert : Info;
  return (
    // Stays in the document while empty, taking up no space, so that its first text is announced.
    <div role={isFailure ? "alert" : "status"} className={joinClasses("empty:absolute", className)}>
      {text && (
        <p
          className={joinClasses(
            "flex items-start gap-2 rounded-control px-3 py-2.5",
            TONE_CLASSES[tone],
          )}
        >
          <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">
            <span>{text}</span>
            {reason && <span>: {reason}</span>}
          </span>
        </p>
      )}
    </div>
  );
}
