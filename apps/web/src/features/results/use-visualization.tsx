import { startVisualization } from "@stipple/contract/routes/results";
import { useMutation } from "@tanstack/react-query";
import { api, ApiError } from "../../app/api.ts";
import { resultsTexts } from "./texts.ts";
import { Overlay } from "../../components/overlay.tsx";

/** A message from an action on this page. */
export interface ResultsMessage {
  text: string;
  /** The server's own sentence, next to the specified one. */
  reason?: string;
  failed: boolean;
  /** Address of a view whose tab the browser kept from opening. */
  view?: string;
  /** The user needs another plan to proceed. */
  plans?: boolean;
}

/**
 * Opens a project's interactive view. A view on our own origin keeps its opener, so that it can report the end of the
 * session; any other does not.
 */
export function useVisualization(
  projectId: string,
  onMessage: (message: ResultsMessage | null) => void,
) {
  const { mutate, isPending: starting } = useMutation({
    mutationFn: async (tab: Window | null) => {
      const answer: { url?: string; error?: string } = await api(startVisualization, {
        query: { project_id: projectId },
        // A server that has not responded by then will not respond.
        signal: AbortSignal.timeout(30_000),
      });
      // The specification allows a response with status 200 that contains an error.
      if (answer.error || !answer.url) throw new ApiError(200, "", answer.error ?? "");
      const { url } = answer;
      const address = new URL(url, window.location.href);
      if (address.protocol !== "http:" && address.protocol !== "https:")
        throw new ApiError(0, "", "");
      if (tab) {
        if (!isOurs(address)) tab.opener = null;
        tab.location.replace(address.href);
      } else
        onMessage({ text: resultsTexts.visualizationBlocked, failed: false, view: address.href });
    },
    onError: (error, tab) => {
      tab?.close();
      const reason = error instanceof ApiError ? error.error : "";
      onMessage({
        text: reason ? resultsTexts.visualizationError(reason) : resultsTexts.visualizationFailed,
        failed: true,
        plans: error instanceof ApiError && error.code === "trial_ended",
      });
    },
  });

  /** Opens the view in a new tab; call it during a click, otherwise browsers block the tab. */
  function start(): void {
    onMessage(null);
    mutate(window.open("about:blank", "_blank"));
  }

  const overlay = starting && (
    <Overlay
      title="Starting Visualization Server"
      text="Your view will open in a new tab in a moment."
    />
  );
  return { start, starting, overlay };
}

/** A link to the view, for when the browser blocked the tab. */
export function VisualizationLink({ address }: { address: string }) {
  return (
    <a
      href={address}
      target="_blank"
      rel={isOurs(new URL(address)) ? "opener" : "noreferrer"}
      className="font-medium text-primary underline underline-offset-2"
    >
      {resultsTexts.visualizationLink}
    </a>
  );
}

function isOurs(address: URL): boolean {
  return address.origin === window.location.origin;
}
