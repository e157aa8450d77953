import { listProjects } from "@stipple/contract/routes/projects";
import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { api } from "../../app/api.ts";
import { QuotaNotice } from "../../app/subscription/quota-notice.tsx";
import { useProjectId } from "../../app/use-project-id.ts";
import { useStateThroughLogin } from "./use-state-through-login.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { ChangedSetup } from "./changed-setup.tsx";
import { MoreChoices, NOTHING_MORE, type More } from "./more-choices.tsx";
import { SetupForm } from "./setup-form.tsx";
import { EMPTY_SETUP, type Setup } from "./setup-rules.ts";
import { setupTexts } from "./texts.ts";
import { useCreation } from "./use-creation.ts";

/** Step 1: name and kind of a new analysis, or of a project on whose later pages a choice proved wrong. */
export function Step1Page() {
  const projectId = useProjectId();
  const projects = useQuery({
    queryKey: ["projects"],
    queryFn: ({ signal }) => api(listProjects, { signal }),
    enabled: projectId !== null,
  });
  if (projects.isLoading) return <Skeleton className="h-96" />;
  const project = projects.data?.find(({ id }) => id === projectId);
  return project ? <ChangedSetup key={project.id} project={project} /> : <NewProject />;
}

function NewProject() {
  const [setup, setSetup] = useStateThroughLogin<Setup>("setup", EMPTY_SETUP);
  const [more, setMore] = useStateThroughLogin<More>("more of the setup", NOTHING_MORE);
  const { busy, message, setMessage, create, createSample } = useCreation();

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <QuotaNotice className="lg:col-span-2" />
      <SetupForm
        title={setupTexts.title}
        description={setupTexts.description}
        setup={setup}
        onChange={(part) => {
          setSetup((before) => ({ ...before, ...part }));
          setMessage(null);
        }}
        onNext={() => void create(setup, more)}
        busy={busy === "create"}
        disabled={busy !== null}
        message={message}
      >
        <MoreChoices value={more} onChange={setMore} />
      </SetupForm>
      <Card title={setupTexts.sampleTitle}>
        <p className="text-ink-2">{setupTexts.sampleText}</p>
        <Button
          className="mt-4 w-full"
          icon={FlaskConical}
          busy={busy === "sample"}
          disabled={busy !== null}
          onClick={() => void createSample()}
        >
          {setupTexts.sampleButton}
        </Button>
      </Card>
    </div>
  );
}
