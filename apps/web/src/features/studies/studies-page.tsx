import { createStudy, listStudies, type ListedStudy } from "@stipple/contract/routes/studies";
import { Plus } from "lucide-react";
import { useState } from "react";
import { longDate } from "../../app/long-date.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { HelpLink } from "../../components/help-link.tsx";
import { Loading } from "../../components/load-failure.tsx";
import { Page } from "../../components/page.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { SAMPLES_TEXTS } from "./samples/texts.ts";
import { STUDIES_TEXTS as TEXTS } from "./texts.ts";
import { STUDIES_KEY, useChoosableProjects } from "./use-studies.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api, errorText } from "../../app/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { NameForm } from "../../components/name-form.tsx";
import { ProjectChoice } from "./project-choice.tsx";

const COLUMNS: readonly Column<ListedStudy>[] = [
  {
    header: TEXTS.columns.name,
    className: "font-medium md:min-w-56 [overflow-wrap:anywhere]",
    cell: ({ name }) => name,
  },
  { header: TEXTS.columns.created, cell: ({ created_at }) => longDate(created_at) },
  { header: TEXTS.columns.samples, cell: ({ samples }) => samples },
  { header: TEXTS.columns.kept, cell: ({ storage_expiry }) => longDate(storage_expiry) },
  {
    header: TEXTS.columns.actions,
    align: "right",
    cell: ({ id, name }) => (
      <ButtonLink size="sm" to={`/studies/${id}`} aria-label={TEXTS.openNamed(name)}>
        {TEXTS.open}
      </ButtonLink>
    ),
  },
];

export function StudiesPage() {
  usePageTitle(TEXTS.title);
  const query = useQuery({
    queryKey: STUDIES_KEY,
    queryFn: ({ signal }) => api(listStudies, { signal }),
  });
  const { data: studies } = query;
  const [creating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      {TEXTS.create}
    </Button>
  );
  return (
    <Page
      title={TEXTS.title}
      text={TEXTS.lead}
      actions={
        <>
          <HelpLink page="studies" className="self-center" />
          <ButtonLink to="/studies/new">{SAMPLES_TEXTS.start}</ButtonLink>
          {create}
        </>
      }
    >
      <Card flush className={studies?.length ? "pt-0" : "pt-6"}>
        {studies && studies.length > 0 && (
          <Table caption={TEXTS.title} columns={COLUMNS} rows={studies} rowKey={({ id }) => id} />
        )}
        {studies?.length === 0 && <EmptyState title={TEXTS.empty} text={TEXTS.emptyText} />}
        {!studies && <Loading flush query={query} texts={TEXTS} height="h-11" />}
      </Card>
      <Dialog open={creating} onClose={() => setCreating(false)} title={TEXTS.createTitle}>
        <CreateForm onClose={() => setCreating(false)} />
      </Dialog>
    </Page>
  );
}

/** Asks for a name and projects, and opens the new study. */
function CreateForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { data: projects } = useChoosableProjects();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());

  async function create(name: string): Promise<string | undefined> {
    try {
      const { id } = await api(createStudy, { body: { name, project_ids: [...chosen] } });
      void client.invalidateQueries({ queryKey: STUDIES_KEY });
      navigate(`/studies/${id}`);
    } catch (error) {
      return TEXTS.createFailed(errorText(error));
    }
  }

  return (
    <NameForm
      label={TEXTS.name}
      needed={TEXTS.nameNeeded}
      onName={create}
      onCancel={onClose}
      action={TEXTS.createAction}
    >
      {projects?.length === 0 && <p className="text-ink-2">{TEXTS.noProjects}</p>}
      {projects && projects.length > 0 && (
        <ProjectChoice
          legend={TEXTS.projects}
          projects={projects}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
    </NameForm>
  );
}
