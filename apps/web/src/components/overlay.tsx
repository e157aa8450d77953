import { LoaderCircle } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

/** Covers the page while something must not be interrupted; keeps focus and announces its title. */
export function Overlay({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      aria-modal
      onCancel={(event) => event.preventDefault()}
      className="m-auto w-[calc(100vw-2rem)] max-w-sm rounded-card border border-line bg-card p-8 text-ink shadow-xl backdrop:bg-backdrop"
    >
      <div role="status" className="flex flex-col items-center text-center">
        <LoaderCircle aria-hidden className="size-8 animate-spin text-primary" />
        <p className="mt-4 text-base font-semibold">{title}</p>
        {text && <p className="mt-1 text-ink-2">{text}</p>}
        {children && <div className="mt-4 w-full">{children}</div>}
      </div>
    </dialog>
  );
}
