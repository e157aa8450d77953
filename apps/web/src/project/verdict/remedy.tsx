import type { VerdictAction } from "@stipple/contract/verdict";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { analysisPath } from "../../app/use-project-id.ts";
import { changePath } from "../../app/change-path.ts";

/** How a page leads to what a verdict recommends. */
export interface Ways {
  projectId: string;
  /** Opens the interactive view. */
  openView: () => void;
}

const LOOK =
  "inline-flex min-h-6 items-start gap-1.5 rounded text-left text-primary underline-offset-2 hover:underline";

/** A verdict's recommendation, as a link to where it is carried out; plain text where that is unknown. */
export function Remedy({
  text,
  action,
  ways,
}: {
  text: string;
  action: VerdictAction | null;
  ways: Ways | undefined;
}) {
  if (!ways || action === null) return <span className="text-ink-2">{text}</span>;
  const face: ReactNode = (
    <>
      {text}
      <ArrowRight aria-hidden className="mt-[3px] size-3.5 shrink-0" />
    </>
  );
  if (action === "view") {
    return (
      <button type="button" onClick={ways.openView} className={LOOK}>
        {face}
      </button>
    );
  }
  const { projectId } = ways;
  const to = {
    change: changePath(projectId),
    upload: analysisPath(2, projectId),
    new: analysisPath(1),
  }[action];
  return (
    <Link to={to} className={LOOK}>
      {face}
    </Link>
  );
}
