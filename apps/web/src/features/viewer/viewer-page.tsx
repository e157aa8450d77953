import { useQuery } from "@tanstack/react-query";
import { LoaderCircle, MonitorX, Unlink } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useParams } from "react-router";
import { ApiError } from "../../app/api.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { viewerTexts } from "../../texts/viewer.ts";
import { loadCells } from "./data/cells.ts";
import { viewerSource } from "./data/viewer-source.ts";
import { shownOfUrl } from "./state/url-state.ts";
import { ViewerProvider } from "./state/viewer-context.tsx";
import { viewerStore } from "./state/viewer-store.ts";
import { Viewer } from "./viewer.tsx";

/** The interactive view behind a signed link: needs no sign-in and knows nothing of one. */
export function ViewerPage() {
  const { token = "" } = useParams();
  const source = useMemo(() => viewerSource(token), [token]);
  const [store] = useState(() => viewerStore(shownOfUrl(window.location.search)));
  const [hasWebGl] = useState(supportsWebGl2);
  const manifest = useQuery({
    queryKey: ["viewer-manifest", token],
    staleTime: Infinity,
    queryFn: ({ signal }) => source.manifest(signal),
  });
  const description = manifest.data?.manifest;
  const cells = useQuery({
    queryKey: ["viewer-cells", token],
    enabled: description !== undefined && hasWebGl,
    staleTime: Infinity,
    gcTime: Infinity,
    queryFn: ({ signal }) => loadCells(source, description!, signal),
  });
  usePageTitle(manifest.data?.project_name ?? "Interactive view");

  if (!hasWebGl) return <Failure kind="webgl" />;
  const error = manifest.error ?? cells.error;
  if (error) {
    const retry = () => {
      void (manifest.error ? manifest.refetch() : cells.refetch());
    };
    return <Failure kind={failureKind(error)} onRetry={retry} />;
  }
  if (!manifest.data || !cells.data)
    return (
      <Centered>
        <LoaderCircle aria-hidden className="mx-auto size-8 animate-spin text-primary" />
        <p role="status" className="mt-4 text-ink-2">
          {description
            ? viewerTexts.loadingCells(description.nCells.toLocaleString("en-US"))
            : viewerTexts.loading}
        </p>
      </Centered>
    );
  return (
    <ViewerProvider
      value={{
        source,
        store,
        manifest: manifest.data.manifest,
        cells: cells.data,
        projectId: manifest.data.project_id,
        projectName: manifest.data.project_name,
        readOnly: manifest.data.read_only,
      }}
    >
      <Viewer />
    </ViewerProvider>
  );
}

type FailureName = keyof typeof viewerTexts.failures;

function failureKind(error: Error): FailureName {
  if (!(error instanceof ApiError)) return "network";
  if (error.code === "results_not_ready") return "notReady";
  if (error.status === 401 || error.status === 403) return "expired";
  return error.status === 404 ? "invalid" : "network";
}

function Failure({ kind, onRetry }: { kind: FailureName; onRetry?: () => void }) {
  const { title, text } = viewerTexts.failures[kind];
  const Icon = kind === "webgl" ? MonitorX : Unlink;
  return (
    <Centered>
      <div role="alert">
        <Icon aria-hidden className="mx-auto size-10 text-ink-3" />
        <h1 className="mt-4 text-xl">{title}</h1>
        <p className="mt-2 text-ink-2">{text}</p>
      </div>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        {onRetry && (kind === "network" || kind === "notReady") && (
          <Button variant="primary" onClick={onRetry}>
            {viewerTexts.retry}
          </Button>
        )}
        <ButtonLink to="/projects">{viewerTexts.toProjects}</ButtonLink>
      </div>
    </Centered>
  );
}

function Centered({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="max-w-md text-center">{children}</div>
    </main>
  );
}

function supportsWebGl2(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}
