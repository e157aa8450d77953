import { INPUT_IMAGE, OUTPUT_IMAGE, getImage } from "@stipple/contract/routes/results";
import { useMutation } from "@tanstack/react-query";
import { ArrowDown, Rows2, SquareSplitHorizontal } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { resultsTexts } from "./texts.ts";
import { Picture } from "./picture.tsx";
import { useResultImage } from "../../project/use-result-image.ts";
import { apiResponse } from "../../app/api.ts";
import { lazyPart } from "../../app/load-code.ts";
import { LazyBoundary } from "../../components/lazy-boundary.tsx";
import { toast } from "../../components/toast-store.ts";

const Compare = lazyPart(() => import("./compare.tsx"), "Compare");

/**
 * The spot-based input above the cell-based output, joined by an arrow, or both in one place. `version` is undefined
 * until there are results.
 */
export function Transformation({
  projectId,
  version,
}: {
  projectId: string;
  version: string | null | undefined;
}) {
  const input = useResultImage(projectId, INPUT_IMAGE, version);
  const output = useResultImage(projectId, OUTPUT_IMAGE, version);
  const [comparing, setComparing] = useState(false);
  const ready = version !== undefined;
  const canCompare = input.url !== undefined && output.url !== undefined;
  const fullImage = (path: string, caption: string) => (
    <FullImageButton projectId={projectId} path={path} version={version} caption={caption} />
  );
  const pictures = (
    <div className="mx-auto flex max-w-xl flex-col gap-4">
      <Picture
        caption={resultsTexts.inputImage}
        alt={resultsTexts.inputAlt}
        image={input}
        ready={ready}
        fullImage={fullImage(INPUT_IMAGE, resultsTexts.inputImage)}
      />
      <p className="flex flex-col items-center gap-1 text-[0.8125rem] font-medium text-ink-3">
        <ArrowDown aria-hidden className="size-6 text-primary" />
        {resultsTexts.transformation}
      </p>
      <Picture
        caption={resultsTexts.outputImage}
        alt={resultsTexts.outputAlt}
        image={output}
        ready={ready}
        fullImage={fullImage(OUTPUT_IMAGE, resultsTexts.outputImage)}
      />
    </div>
  );
  return (
    <Card
      title={resultsTexts.imagesTitle}
      actions={
        <div role="group" aria-label={resultsTexts.layout} className="flex gap-1">
          <Button
            size="sm"
            variant={comparing ? "ghost" : "secondary"}
            aria-pressed={!comparing}
            icon={<Rows2 aria-hidden className="size-4" />}
            onClick={() => setComparing(false)}
          >
            {resultsTexts.bothImages}
          </Button>
          <Button
            size="sm"
            variant={comparing ? "secondary" : "ghost"}
            aria-pressed={comparing}
            disabled={!canCompare}
            icon={<SquareSplitHorizontal aria-hidden className="size-4" />}
            onClick={() => setComparing(true)}
          >
            {resultsTexts.compare}
          </Button>
        </div>
      }
    >
      {(input.error ?? output.error) && (
        <StatusMessage className="mb-4" text={resultsTexts.imagesFailed} />
      )}
      {comparing && canCompare ? (
        <LazyBoundary waiting={pictures}>
          <Compare before={input} after={output} />
        </LazyBoundary>
      ) : (
        pictures
      )}
    </Card>
  );
}

/** Opens the original image in a new tab. The tab is opened during the click; otherwise browsers block it. */
function FullImageButton({
  projectId,
  path,
  version,
  caption,
}: {
  projectId: string;
  path: string;
  version: string | null | undefined;
  caption: string;
}) {
  const opening = useMutation({
    mutationFn: async (tab: Window | null) => {
      const query = { project_id: projectId, ...(version ? { t: version } : {}) };
      const response = await apiResponse(getImage, { params: { "*": path }, query });
      const address = URL.createObjectURL(await response.blob());
      if (tab) tab.location.replace(address);
      else window.location.assign(address);
      // The tab has read it by then; a minute is ample.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    },
    onError: (_error, tab) => {
      tab?.close();
      toast(resultsTexts.imagesFailed, { failed: true });
    },
  });

  return (
    <button
      type="button"
      disabled={opening.isPending}
      aria-busy={opening.isPending || undefined}
      onClick={() => opening.mutate(window.open("about:blank", "_blank"))}
      className="min-h-6 text-primary underline underline-offset-2 disabled:opacity-60"
    >
      {resultsTexts.openImage}
      <span className="sr-only">: {caption}</span>
    </button>
  );
}
