import { getImage } from "@stipple/contract/routes/results";
import { useState } from "react";
import { apiResponse } from "../../app/api.ts";
import { useToast } from "../../components/toast-store.ts";
import { resultsTexts } from "./texts.ts";

/** Opens the original image in a new tab. The tab is opened during the click; otherwise browsers block it. */
export function FullImageButton({
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
  const toast = useToast();
  const [opening, setOpening] = useState(false);

  async function open(): Promise<void> {
    const tab = window.open("about:blank", "_blank");
    setOpening(true);
    try {
      const query = { project_id: projectId, ...(version ? { t: version } : {}) };
      const response = await apiResponse(getImage, { params: { "*": path }, query });
      const address = URL.createObjectURL(await response.blob());
      if (tab) tab.location.replace(address);
      else window.location.assign(address);
      // The tab has read it by then; a minute is ample.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch {
      tab?.close();
      toast(resultsTexts.imagesFailed, { failed: true });
    } finally {
      setOpening(false);
    }
  }

  return (
    <button
      type="button"
      disabled={opening}
      aria-busy={opening || undefined}
      onClick={() => void open()}
      className="min-h-6 text-primary underline underline-offset-2 disabled:opacity-60"
    >
      {resultsTexts.openImage}
      <span className="sr-only">: {caption}</span>
    </button>
  );
}
