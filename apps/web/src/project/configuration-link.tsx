import { Link } from "wouter";
import { analysisPath } from "../app/use-project-id.ts";
import { configurationTexts as TEXTS } from "./texts.ts";

/** Beside what a project analyzes: leads to where a wrong choice is corrected. */
export function ConfigurationLink({ projectId }: { projectId: string }) {
  return (
    <Link
      to={analysisPath(1, projectId)}
      aria-label={TEXTS.changeLabel}
      className="ml-2 rounded text-primary underline underline-offset-2"
    >
      {TEXTS.change}
    </Link>
  );
}
