import { ChevronRight } from "lucide-react";
import { useState, type ReactNode } from "react";

/** A card that is closed at first, with its title; the content knows whether it is open, to load what it shows. */
export function ClosedSection({
  title,
  children,
}: {
  title: string;
  children: (isOpen: boolean) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="group/section rounded-card border border-line bg-card"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="flex list-none items-center gap-x-2 rounded-card px-6 py-4 font-medium max-sm:px-4">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 transition-transform duration-150 group-open/section:rotate-90"
        />
        {title}
      </summary>
      <div className="border-t border-line px-6 py-4 max-sm:px-4">{children(isOpen)}</div>
    </details>
  );
}
