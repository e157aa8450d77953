import type { Project } from "@stipple/contract";
import type { RegistrationLook } from "@stipple/contract/routes/registration";
import type { Verdict } from "@stipple/contract/verdict";
import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { NO_CELLS } from "@stipple/viewer/source";
import { useEffect, useState, type ComponentType } from "react";
import { createRoot, type Root } from "react-dom/client";
import { Queries } from "../../../../apps/web/src/app/queries.tsx";
import { ToastRegion } from "../../../../apps/web/src/components/toast.tsx";
import {
  NewPasswordFields,
  NO_PASSWORD,
} from "../../../../apps/web/src/features/accounts/new-password-fields.tsx";
import { DeleteDialog } from "../../../../apps/web/src/features/projects/delete-dialog.tsx";
import { ProgressDialog } from "../../../../apps/web/src/features/projects/progress-dialog.tsx";
import { QualityTable } from "../../../../apps/web/src/features/studies/quality-card.tsx";
import { RegistrationView } from "../../../../apps/web/src/features/upload/registration/registration-view.tsx";
import { GroupList } from "../../../../apps/web/src/features/viewer/facets/group-list.tsx";
import {
  ViewerProvider,
  type OpenViewer,
} from "../../../../apps/web/src/features/viewer/state/viewer-context.tsx";
import { viewerStore } from "../../../../apps/web/src/features/viewer/state/viewer-store.ts";
import { StepList } from "../../../../apps/web/src/features/workflow/step-list.tsx";
import { ChoicesForm } from "../../../../apps/web/src/project/choices/choices-form.tsx";
import { useChoices } from "../../../../apps/web/src/project/choices/use-choices.ts";
import { whole } from "../../../../apps/web/src/project/fetch-status.ts";
import type { Phase } from "../../../../apps/web/src/project/start-label.ts";
import { VerdictBar } from "../../../../apps/web/src/project/verdict/verdict-bar.tsx";
import "../../../../apps/web/src/app/styles.css";

declare global {
  interface Window {
    /** Shows one component with these properties, made anew. */
    show(name: keyof typeof PARTS, props?: object): void;
    /** What components told through their callbacks, in order. */
    told: unknown[];
  }
}

window.told = [];
const tell = (...words: unknown[]) => void window.told.push(words);

function Passwords() {
  const [value, setValue] = useState(NO_PASSWORD);
  return <NewPasswordFields value={value} onChange={setValue} />;
}

function Choosing() {
  const [open, setOpen] = useState(false);
  const choosing = useChoices("p1", open);
  useEffect(() => tell("changed", choosing.changed ?? null), [choosing.changed]);
  return <ChoicesForm choosing={choosing} open={open} onToggle={setOpen} disabled={false} />;
}

const store = viewerStore();
function Groups({ types }: { types: ViewerManifest["types"] }) {
  const nCells = types.reduce((sum, { count }) => sum + count, 0);
  const none: ViewerManifest["types"] = [];
  const manifest = { types, clusters: none, domains: none, nCells } as ViewerManifest;
  const [viewer] = useState(() => ({ manifest, cells: NO_CELLS, store }) as OpenViewer);
  useEffect(() => store.subscribe(({ hidden, edits }) => tell(hidden.type, edits.type)), []);
  return (
    <ViewerProvider value={viewer}>
      <GroupList of="type" />
    </ViewerProvider>
  );
}

function Samples({ names: first }: { names: string[] }) {
  const [names, setNames] = useState(first);
  const samples = names.map((name) => ({ name, quality: null }));
  return (
    <>
      <button onClick={() => setNames(names.slice(1))}>Remove the first</button>
      <QualityTable quality={{ samples, outliers: [] }} />
    </>
  );
}

const PARTS = {
  registration: ({ look }: { look: RegistrationLook }) => (
    <RegistrationView projectId="p1" look={look} />
  ),
  passwords: Passwords,
  choices: Choosing,
  groups: Groups,
  deletion: ({ project }: { project: Project }) => (
    <DeleteDialog project={project} onClose={() => tell("closed")} />
  ),
  progress: ({ project }: { project: Project }) => (
    <ProgressDialog
      project={project}
      onClose={() => tell("closed")}
      onWorkflow={() => tell("workflow")}
    />
  ),
  samples: Samples,
  steps: ({ status, phase }: { status: Parameters<typeof whole>[0]; phase: Phase }) => (
    <StepList status={whole(status)} phase={phase} updatedAt={Date.now()} />
  ),
  verdict: ({ verdict }: { verdict: Verdict }) => (
    <VerdictBar verdict={verdict} onHide={() => tell("hidden")} />
  ),
} as const;

let root: Root | undefined;
window.show = (name, props = {}) => {
  root?.unmount();
  window.told.length = 0;
  root = createRoot(document.querySelector("#root")!);
  const Part = PARTS[name] as ComponentType<object>;
  root.render(
    <Queries>
      <main>
        <h1>{name}</h1>
        <Part {...props} />
      </main>
      <ToastRegion />
    </Queries>,
  );
};
