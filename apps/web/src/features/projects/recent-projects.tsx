import type { Project } from "@stipple/contract";
import { Link } from "wouter";
import { longDate } from "../../app/long-date.ts";
import { analysisPath } from "../../app/use-project-id.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { DASHBOARD_TEXTS as TEXTS } from "./texts.ts";
import { Loading } from "../../components/load-failure.tsx";
import { openingOf } from "../../project/project-facts.ts";
import { NoProjects } from "./no-projects.tsx";
import { ProjectPill } from "./project-pill.tsx";
import type { useProjects } from "./use-projects.ts";

const SHOWN = 5;

const COLUMNS: readonly Column<Project>[] = [
  {
    header: TEXTS.columns.name,
    className: "max-w-80 font-medium",
    cell: (project) => (
      <Link
        {...linkTo(project)}
        className="block rounded [overflow-wrap:anywhere] hover:text-primary hover:underline"
      >
        {project.name}
      </Link>
    ),
  },
  {
    header: TEXTS.columns.created,
    cell: (project) => longDate(project.created_at),
  },
  { header: TEXTS.columns.status, cell: (project) => <ProjectPill project={project} /> },
  {
    header: TEXTS.columns.expiry,
    cell: (project) => longDate(project.storage_expiry),
  },
];

/** Results or workflow; a busy project's progress is shown over the list of projects. */
function linkTo(project: Project): { to: string; state: unknown } {
  const opening = openingOf(project);
  if (opening === "progress") return { to: "/projects", state: { openProjectId: project.id } };
  return {
    to: analysisPath(opening === "results" ? 4 : 3, project.id),
    state: { projectId: project.id },
  };
}

/** The first five projects, or what to do when there are none. */
export function RecentProjects({ projects }: { projects: ReturnType<typeof useProjects> }) {
  const { data } = projects;
  return (
    <Card
      flush
      title={TEXTS.recent}
      actions={
        <ButtonLink to="/projects" size="sm">
          {TEXTS.viewAll}
        </ButtonLink>
      }
    >
      {data && data.length > 0 && (
        <Table
          caption={TEXTS.recent}
          columns={COLUMNS}
          rows={data.slice(0, SHOWN)}
          rowKey={({ id }) => id}
        />
      )}
      {data?.length === 0 && <NoProjects title={TEXTS.empty} text={TEXTS.sampleHint} />}
      {!data && <Loading flush query={projects} texts={TEXTS} height="h-11" rows={3} />}
    </Card>
  );
}
