import { daysRemaining } from "@stipple/contract/business/time";
import type { Project } from "@stipple/contract";
import { Trash2 } from "lucide-react";
import { clockTime, longDate } from "../../app/long-date.ts";
import { useNow } from "../../app/use-now.ts";
import { Button } from "../../components/button.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { PROJECTS_TEXTS as TEXTS } from "./texts.ts";
import { configurationText, expiryTone, isBusy } from "../../project/project-facts.ts";
import { NameCell, StatusCell } from "./project-cells.tsx";

const MINUTE_MS = 60_000;

/** All projects, with their actions. */
export function ProjectsTable({
  projects,
  onOpen,
  onRename,
  onDelete,
}: {
  projects: readonly Project[];
  onOpen: (project: Project) => void;
  onRename: (project: Project) => void;
  onDelete: (project: Project) => void;
}) {
  const now = useNow(MINUTE_MS);
  const columns: readonly Column<Project>[] = [
    {
      header: TEXTS.columns.name,
      className: "font-medium md:min-w-36 xl:min-w-56",
      cell: (project) => <NameCell project={project} onRename={onRename} />,
    },
    {
      header: TEXTS.columns.created,
      className: "xl:whitespace-nowrap",
      cell: (project) => (
        <>
          <span>{longDate(project.created_at)}</span>{" "}
          <span className="text-[0.8125rem] text-ink-3 max-md:whitespace-nowrap md:block">
            {clockTime(project.created_at)}
          </span>
        </>
      ),
    },
    { header: TEXTS.columns.status, cell: (project) => <StatusCell project={project} /> },
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
      className: "text-ink-2",
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
              <span className="md:max-xl:sr-only">{TEXTS.delete}</span>
            </Button>
          )}
        </span>
      ),
    },
  ];
  return <Table caption={TEXTS.title} columns={columns} rows={projects} rowKey={({ id }) => id} />;
}
