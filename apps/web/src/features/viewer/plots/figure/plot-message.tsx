import { use, useEffect, useRef, type ReactNode } from "react";
import { Button } from "../../../../components/button.tsx";
import { ApiError } from "../../../../app/api.ts";
import { plotTexts } from "../texts.ts";
import { FigureTaking } from "./figure-taker.ts";

/** Shown in place of a plot: why there is none, or that it is being computed. */
export function PlotMessage({
  role,
  children,
}: {
  role?: "status" | "alert";
  children: ReactNode;
}) {
  const taker = use(FigureTaking);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const text = box.current?.querySelector("p")?.textContent ?? box.current?.textContent;
    if (taker && role !== "status" && text) taker.message(text);
  }, [taker, role, children]);
  return (
    <div
      ref={box}
      role={role}
      className="rounded-control border border-dashed border-line px-4 py-6 text-center text-[0.8125rem] text-ink-2"
    >
      {children}
    </div>
  );
}

export function PlotFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <PlotMessage role="alert">
      <p>{error instanceof ApiError ? plotTexts.failedBecause(error.message) : plotTexts.failed}</p>
      <Button size="sm" className="mt-3" onClick={onRetry}>
        {plotTexts.retry}
      </Button>
    </PlotMessage>
  );
}
