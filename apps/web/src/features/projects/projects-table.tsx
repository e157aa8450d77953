import { daysRemaining } from "@stipple/contract/business/time";
import type { Project } from "@stipple/contract";
import { Trash2 } from "lucide-react";
import { longDate } from "../../app/long-date.ts";
import { useNow } from "../../app/use-now.ts";
import { Button } from "../../components/button.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { PROJECTS_TEXTS as TEXTS } from "../../texts/projects.ts";
import { configurationText, expiryTone, isBusy } from "./project-facts.ts";
import { ProjectPill } from "./project-pill.tsx";

const MINUTE_MS = 60_000;

/** All projects, with their actions. */
export function ProjectsTable({
  projects,
  onOpen,
  onDelete,
}: {
  projects: readonly Project[];
  onOpen: (project: Project) => void;
  onDelete: (project: Project) => void;
}) {
  const now = useNow(MINUTE_MS);
  const columns: readonly Column<Project>[] = [
    {
      header: TEXTS.columns.name,
      className: "max-w-60 font-medium",
      cell: (project) => (
        <span className="block truncate" title={project.name}>
          {project.name}
        </span>
      ),
    },
    {
      header: TEXTS.columns.created,
      className: "whitespace-nowrap",
      cell: (project) => longDate(project.created_at),
    },
    { header: TEXTS.columns.status, cell: (project) => <ProjectPill status={project.status} /> },
    {
      header: TEXTS.columns.days,
      cell: (project) => {
        const days = daysRemaining(project.storage_expiry, now);
        if (days === null) return "–";
        return (
          <span title={longDate(project.storage_expiry)}>
            <StatusPill tone={expiryTone(days)}>{TEXTS.days(days)}</StatusPill>
          </span>
        );
      },
    },
    {
      header: TEXTS.columns.configuration,
      className: "text-ink-2 md:whitespace-nowrap",
      cell: (project) => configurationText(project.analysis_options),
    },
    {
      header: TEXTS.columns.actions,
      align: "right",
      cell: (project) => (
        <span className="inline-flex gap-1">
          <Button
            size="sm"
            aria-label={TEXTS.viewNamed(project.name)}
            onClick={() => onOpen(project)}
          >
            {TEXTS.view}
          </Button>
          {!isBusy(project) && (
            <Button
              size="sm"
              variant="ghost"
              aria-label={TEXTS.deleteNamed(project.name)}
              icon={<Trash2 aria-hidden className="size-4" />}
              onClick={() => onDelete(project)}
            >
              {TEXTS.delete}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return <Table caption={TEXTS.title} columns={columns} rows={projects} rowKey={({ id }) => id} />;
}
