import { useQuery } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { useState } from "react";
import { useParams } from "wouter";
import { usePageTitle } from "../../app/use-page-title.ts";
import { ToastRegion } from "../../components/toast.tsx";
import { annotationStore } from "./annotations/annotation-store.ts";
import { viewerTexts } from "./texts.ts";
import { fetchFirstTiles, loadCells, NO_CELLS, sourceOfFiles } from "@stipple/viewer/source";
import { originText } from "./origin-text.ts";
import { useViewEnd, useWatch } from "./sharing/use-view-end.ts";
import { graphics } from "@stipple/viewer";
import { shownOfUrl } from "./state/url-state.ts";
import { ViewerProvider } from "./state/viewer-context.tsx";
import { viewerStore } from "./state/viewer-store.ts";
import { Centered, failureOf, ViewFailure } from "./view-failure.tsx";
import { Viewer } from "./viewer.tsx";

/** The interactive view behind a signed link. It requires no sign-in; its owner, when signed in, can save and share. */
export function ViewerPage() {
  return (
    <>
      <OpenedByLink />
      <ToastRegion />
    </>
  );
}

function OpenedByLink() {
  const { token = "" } = useParams();
  const { server, end, finish } = useViewEnd(token);
  const [store] = useState(() => viewerStore(shownOfUrl(window.location.search)));
  const [annotations] = useState(annotationStore);
  const [hasWebGl, setHasWebGl] = useState(true);
  const manifest = useQuery({
    queryKey: ["viewer-manifest", token],
    staleTime: Infinity,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const answer = server.open(signal);
      // Probe while the request is in flight.
      setHasWebGl(graphics() !== "none");
      const opened = await answer;
      const source = sourceOfFiles(opened.manifest, server);
      fetchFirstTiles(source, store.getState());
      return { ...opened, source };
    },
  });
  const source = manifest.data?.source;
  const cells = useQuery({
    queryKey: ["viewer-cells", token],
    enabled: source !== undefined && hasWebGl,
    staleTime: Infinity,
    gcTime: Infinity,
    queryFn: ({ signal }) => loadCells(source!, signal),
  });
  usePageTitle(manifest.data?.project_name ?? "Interactive view");

  useWatch(server, end === null ? manifest.data : undefined, finish);

  if (!hasWebGl) return <ViewFailure kind="webgl" />;
  if (end) return <ViewFailure kind={end} />;
  const error = manifest.error ?? cells.error;
  if (error) {
    const retry = () => {
      void (manifest.error ? manifest.refetch() : cells.refetch());
    };
    return <ViewFailure kind={failureOf(error)} error={error} onRetry={retry} />;
  }
  if (!manifest.data)
    return (
      <Centered>
        <LoaderCircle aria-hidden className="mx-auto size-8 animate-spin text-primary" />
        <p role="status" className="mt-4 text-ink-2">
          {viewerTexts.loading}
        </p>
      </Centered>
    );
  return (
    <ViewerProvider
      value={{
        source: manifest.data.source,
        server,
        store,
        token,
        annotations,
        manifest: manifest.data.manifest,
        cells: cells.data ?? NO_CELLS,
        projectId: manifest.data.project_id,
        projectName: manifest.data.project_name,
        origin: originText(manifest.data),
        verdict: manifest.data.verdict,
        readOnly: manifest.data.read_only,
        mayExport: manifest.data.may_export,
        expiresAt: manifest.data.expires_at,
      }}
    >
      <Viewer />
    </ViewerProvider>
  );
}
