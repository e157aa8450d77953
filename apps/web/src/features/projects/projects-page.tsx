import type { Project } from "@stipple/contract";
import { Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useBrowserLocation } from "../../app/location.tsx";
import { usePageTitle } from "../../app/use-page-title.ts";
import { analysisPath } from "../../app/use-project-id.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Page } from "../../components/page.tsx";
import { DASHBOARD_TEXTS, PROJECTS_TEXTS as TEXTS } from "./texts.ts";
import { arrangeProjects, type ProjectOrder } from "./arrange-projects.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { Loading } from "../../components/load-failure.tsx";
import { NoProjects } from "./no-projects.tsx";
import { ProgressDialog } from "./progress-dialog.tsx";
import { askedKind, ofKind, openingOf } from "../../project/project-facts.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import { ProjectsTable } from "./projects-table.tsx";
import { useProjects } from "./use-projects.ts";
import { Options, Input, Select } from "../../components/field.tsx";

export function ProjectsPage() {
  usePageTitle(TEXTS.title);
  const [, navigate] = useLocation();
  const query = useProjects();
  const { data: all } = query;
  const kind = askedKind(useBrowserLocation().search);
  const ofAsked = all && (kind && all.length > 0 ? ofKind(all, kind) : all);
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState<ProjectOrder>("newest");
  const projects = ofAsked && arrangeProjects(ofAsked, search, order);
  const [renaming, setRenaming] = useState<Project | null>(null);
  const [watched, setWatched] = useState<Project | null>(null);
  const [deleting, setDeleting] = useState<Project | null>(null);

  const goTo = (step: 3 | 4, projectId: string): void =>
    navigate(analysisPath(step, projectId), { state: { projectId } });
  const open = (project: Project): void => {
    const opening = openingOf(project);
    if (opening === "progress") setWatched(project);
    else goTo(opening === "results" ? 4 : 3, project.id);
  };
  useAskedFor(all, open);

  return (
    <Page
      title={TEXTS.title}
      actions={
        <>
          <ButtonLink to="/studies">{TEXTS.studies}</ButtonLink>
          <ButtonLink to="/analysis/step1" variant="primary" icon={Plus}>
            {DASHBOARD_TEXTS.newAnalysis}
          </ButtonLink>
        </>
      }
    >
      {kind && all && all.length > 0 && (
        <p role="status" className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-2">
          <span>{TEXTS.showing(DASHBOARD_TEXTS[kind], ofAsked?.length ?? 0, all.length)}</span>
          <ButtonLink to="/projects" size="sm">
            {TEXTS.showAll}
          </ButtonLink>
        </p>
      )}
      {all && all.length > 0 && (
        <ProjectsToolbar search={search} order={order} onSearch={setSearch} onOrder={setOrder} />
      )}
      <Card flush className={projects ? "" : "pt-6"}>
        {projects && projects.length > 0 && (
          <ProjectsTable
            projects={projects}
            onOpen={open}
            onRename={setRenaming}
            onDelete={setDeleting}
          />
        )}
        {projects?.length === 0 && search !== "" && (
          <NoneFound search={search} onClear={() => setSearch("")} />
        )}
        {all?.length === 0 && <NoProjects title={TEXTS.empty} text={TEXTS.emptyText} />}
        {!projects && (
          <Loading flush query={query} texts={DASHBOARD_TEXTS} height="h-11" rows={4} />
        )}
      </Card>
      <DeleteDialog project={deleting} onClose={() => setDeleting(null)} />
      <RenameDialog project={renaming} onClose={() => setRenaming(null)} />
      {watched && (
        <ProgressDialog
          project={watched}
          onClose={() => goTo(4, watched.id)}
          onWorkflow={() => goTo(3, watched.id)}
        />
      )}
    </Page>
  );
}

function NoneFound({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <p role="status" className="flex flex-wrap items-center gap-3 px-6 py-5 text-ink-2">
      <span>{TEXTS.noneFound(search)}</span>
      <Button size="sm" onClick={onClear}>
        {TEXTS.clearSearch}
      </Button>
    </p>
  );
}

/** Opens the project that the navigation state names, once the list is there. */
function useAskedFor(
  projects: readonly Project[] | undefined,
  open: (project: Project) => void,
): void {
  const { state } = useBrowserLocation();
  const [, navigate] = useLocation();
  const asked = (state as { openProjectId?: string } | null)?.openProjectId;
  useEffect(() => {
    if (!asked || !projects) return;
    const project = projects.find(({ id }) => id === asked);
    navigate("/projects", { replace: true });
    if (project) open(project);
    // Only a newly asked project opens; `open` is another function at every render.
  }, [asked, projects]);
}

/** Search and order of the project list. */
function ProjectsToolbar({
  search,
  order,
  onSearch,
  onOrder,
}: {
  search: string;
  order: ProjectOrder;
  onSearch: (search: string) => void;
  onOrder: (order: ProjectOrder) => void;
}) {
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <Input
        type="search"
        aria-label={TEXTS.search}
        placeholder={TEXTS.search}
        className="min-w-0 flex-1 basis-60 sm:max-w-sm"
        value={search}
        onChange={({ target }) => onSearch(target.value)}
      />
      <Select
        aria-label={TEXTS.sort}
        className="w-full sm:ml-auto sm:w-56"
        value={order}
        onChange={({ target }) => onOrder(target.value as ProjectOrder)}
      >
        <Options of={Object.entries(TEXTS.orders)} />
      </Select>
    </div>
  );
}
