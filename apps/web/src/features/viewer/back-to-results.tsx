import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import { analysisPath } from "../../app/use-project-id.ts";
import { viewerTexts } from "./texts.ts";
import { useOwnership } from "./sharing/use-ownership.ts";
import { useViewer } from "./state/viewer-context.tsx";

/** The way back for the project's owner. Others cannot open the results. */
export function BackToResults() {
  const { projectId } = useViewer();
  const { role } = useOwnership();
  if (role !== "owner") return null;
  return (
    <Link
      to={analysisPath(4, projectId)}
      className="inline-flex min-h-6 shrink-0 items-center gap-1.5 rounded text-[0.8125rem] font-medium text-primary hover:underline max-md:size-10 max-md:justify-center md:mb-2"
    >
      <ArrowLeft aria-hidden className="size-4" />
      <span className="max-md:sr-only">{viewerTexts.backToResults}</span>
    </Link>
  );
}
