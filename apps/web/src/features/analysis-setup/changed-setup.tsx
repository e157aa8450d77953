import { configureProject, type Project } from "@stipple/contract/routes/projects";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { useAttempt } from "../../app/use-attempt.ts";
import { useNavigateFromHere } from "../../app/use-navigate-from-here.ts";
import { analysisPath } from "../../app/use-project-id.ts";
import { SetupForm } from "./setup-form.tsx";
import { checkSetup, setupOf, type Setup } from "./setup-rules.ts";
import { setupTexts } from "./texts.ts";

/** What a project was created with, to correct it: its files stay, so that a wrong platform costs no new upload. */
export function ChangedSetup({ project }: { project: Project }) {
  const { id: projectId } = project;
  const client = useQueryClient();
  const navigate = useNavigateFromHere();
  const { attempt, busy, message, setMessage } = useAttempt();
  // The rest follows the project, which may be changed elsewhere meanwhile.
  const [edits, setEdits] = useState<Partial<Setup>>({});
  const setup = { ...setupOf(project), ...edits };

  async function save(): Promise<void> {
    const checked = checkSetup(setup);
    if ("problem" in checked) return setMessage({ text: checked.problem, failed: true });
    // A project that is being processed can be looked at, but not changed.
    const isChanged = JSON.stringify(checked) !== JSON.stringify(checkSetup(setupOf(project)));
    const saved = await attempt(
      async () => {
        if (!isChanged) return;
        await api(configureProject, { params: { id: projectId }, body: checked.body });
        await client.invalidateQueries({ queryKey: ["projects"] });
        // What was found out about the project, such as whether its files fit, was true of the choices before.
        client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(projectId) });
      },
      (error) => setupTexts.failed(errorText(error, setupTexts.changeFallback)),
    );
    if (saved) navigate(analysisPath(2, projectId), { state: { projectId } });
  }

  return (
    <div className="grid lg:grid-cols-[minmax(0,1fr)_20rem]">
      <SetupForm
        title={setupTexts.changeTitle}
        description={setupTexts.changeDescription}
        setup={setup}
        onChange={(part) => {
          setEdits((before) => ({ ...before, ...part }));
          setMessage(null);
        }}
        onNext={() => void save()}
        busy={busy}
        message={message}
      />
    </div>
  );
}
