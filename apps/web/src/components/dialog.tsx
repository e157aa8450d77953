import { AlertDialog as BaseAlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef, type ReactNode, type KeyboardEvent } from "react";
import { joinClasses } from "./join-classes.ts";

const STOPS =
  "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1']):not([data-base-ui-focus-guard])";

export interface DialogProps {
  open: boolean;
  /**
   * Called on Escape, the close button, and (except for alerts) a click outside. Without it, the dialog cannot be
   * dismissed.
   */
  onClose?: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, right aligned; the confirming one last. */
  actions?: ReactNode;
  /** Needs an answer: role alertdialog, a click outside does not close it. */
  alert?: boolean;
  wide?: boolean;
  /** Called once the dialog is gone: what to focus, or true for what had the focus before. */
  finalFocus?: () => HTMLElement | true | null;
}

/** A modal dialog: focus stays inside while open and returns to where it was. */
export function Dialog({
  open,
  onClose,
  alert = false,
  wide = false,
  finalFocus,
  ...words
}: DialogProps) {
  // It keeps its content while fading out, even though its data is gone.
  const said = useRef(words);
  if (open) said.current = words;
  const { title, description, children, actions } = said.current;
  const Base = alert ? BaseAlertDialog : BaseDialog;
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose?.();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-backdrop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          aria-modal
          finalFocus={finalFocus}
          onKeyDown={keepFocus}
          className={joinClasses(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-y-auto rounded-card border border-line bg-card p-6 shadow-xl outline-none transition-[scale,opacity] duration-150 data-ending-style:scale-[0.98] data-ending-style:opacity-0 data-starting-style:scale-[0.98] data-starting-style:opacity-0",
            wide ? "max-w-2xl" : "max-w-md",
          )}
        >
          <Base.Title className="pr-8 text-lg">{title}</Base.Title>
          {description && (
            <Base.Description className="mt-2 text-ink-2">{description}</Base.Description>
          )}
          {children && <div className="mt-4">{children}</div>}
          {actions && (
            <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
              {actions}
            </div>
          )}
          {onClose && !alert && (
            <Base.Close
              aria-label="Close"
              className="absolute top-4 right-4 grid size-8 place-items-center rounded-control text-ink-3 hover:bg-raised hover:text-ink"
            >
              <X aria-hidden className="size-4" />
            </Base.Close>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Makes Tab wrap from a dialog's last tab stop to its first, and Shift+Tab from the first (or the dialog itself) to the
 * last.
 */
function keepFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
  const dialog = event.currentTarget;
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) => !stop.matches(":disabled") && stop.getClientRects().length > 0,
  );
  const [first, last] = [stops[0], stops.at(-1)];
  const focused = document.activeElement;
  const leaves = event.shiftKey ? focused === first || focused === dialog : focused === last;
  if (!leaves && first) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
