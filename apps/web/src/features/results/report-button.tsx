import { FileText } from "lucide-react";
import { reportPath } from "../../app/use-project-id.ts";
import { Button, NewTabLink } from "../../components/button.tsx";
import { resultsTexts } from "./texts.ts";

/** Opens the report of a finished project in its own tab, at an address that can be kept. */
export function ReportButton({ projectId, ready }: { projectId: string; ready: boolean }) {
  const look = {
    className: "max-sm:w-full",
    icon: <FileText aria-hidden className="size-4" />,
    children: resultsTexts.report,
  };
  return ready ? (
    <NewTabLink href={reportPath(projectId)} {...look} />
  ) : (
    <Button disabled {...look} />
  );
}
