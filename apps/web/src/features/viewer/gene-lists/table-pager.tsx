import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../components/button.tsx";

/** The current range of a long table, and navigation to its other pages. */
export function TablePager({
  page,
  isLast,
  onPage,
  texts,
  children,
}: {
  page: number;
  isLast: boolean;
  onPage: (page: number) => void;
  texts: { previous: string; next: string };
  children: ReactNode;
}) {
  return (
    <div className="flex items-center justify-between gap-2 text-[0.8125rem] text-ink-2">
      <span role="status">{children}</span>
      <span className="flex gap-1">
        <Button
          size="sm"
          aria-label={texts.previous}
          disabled={page === 0}
          onClick={() => onPage(page - 1)}
        >
          <ChevronLeft aria-hidden className="size-4" />
        </Button>
        <Button
          size="sm"
          aria-label={texts.next}
          disabled={isLast}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight aria-hidden className="size-4" />
        </Button>
      </span>
    </div>
  );
}
