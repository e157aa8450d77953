import { Keyboard } from "lucide-react";
import { useState } from "react";
import { LazyDialog } from "../../../components/lazy-dialog.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { shortcutTexts } from "./texts.ts";
import { useShortcut } from "./use-shortcut.ts";

/** Lists the keyboard shortcuts; "?" does the same. */
export function ShortcutsButton() {
  const [open, setOpen] = useState(false);
  useShortcut((event) => {
    if (event.key === "?") setOpen(true);
  });
  return (
    <>
      <IconButton
        icon={Keyboard}
        label={shortcutTexts.button}
        className="max-sm:hidden"
        onClick={() => setOpen(true)}
      />
      <LazyDialog open={open} onClose={() => setOpen(false)} title={shortcutTexts.title}>
        <div className="flex flex-col gap-5">
          {shortcutTexts.groups.map(({ title, keys }) => (
            <section key={title} aria-label={title}>
              <h3 className="mb-1.5 text-[0.8125rem] font-medium text-ink-2">{title}</h3>
              <dl className="flex flex-col gap-1.5">
                {keys.map(({ press, does }) => (
                  <div key={does} className="flex items-baseline justify-between gap-4">
                    <dt className="order-last flex shrink-0 gap-1">
                      {press.map((key) => (
                        <kbd
                          key={key}
                          className="min-w-6 rounded border border-line bg-raised px-1.5 text-center text-xs leading-5"
                        >
                          {key}
                        </kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </LazyDialog>
    </>
  );
}
