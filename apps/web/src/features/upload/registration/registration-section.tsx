import { registration } from "@stipple/contract/routes/registration";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { api, errorText } from "../../../app/api.ts";
import { loadCode } from "../../../app/load-code.ts";
import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { registrationTexts as TEXTS } from "./texts.ts";

const RegistrationView = lazy(async () => ({
  default: (await loadCode(() => import("./registration-view.tsx"))).RegistrationView,
}));

/** The closed section with the spots over the image; `version` changes with the project's alignment. */
export function RegistrationSection({
  projectId,
  isComplete,
  version,
}: {
  projectId: string;
  isComplete: boolean;
  version: string;
}) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="group rounded-card border border-line bg-card"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex list-none flex-wrap items-center gap-x-2 rounded-card px-6 py-4 font-medium max-sm:px-4">
        <ChevronRight
          aria-hidden
          className="size-4 transition-transform duration-150 group-open:rotate-90"
        />
        {TEXTS.title}
      </summary>
      <div className="border-t border-line px-6 py-4 max-sm:px-4">
        {!isComplete ? (
          <p className="text-ink-2">{TEXTS.early}</p>
        ) : (
          open && <Opened projectId={projectId} version={version} />
        )}
      </div>
    </details>
  );
}

function Opened({ projectId, version }: { projectId: string; version: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["registration", projectId, version],
    queryFn: ({ signal }) => api(registration, { params: { id: projectId }, signal }),
    refetchOnWindowFocus: false,
    retry: false,
  });
  if (error && !isFetching) {
    return (
      <div className="flex flex-col items-start gap-3">
        <StatusMessage failed text={`Error: ${errorText(error, TEXTS.failed)}`} />
        <Button onClick={() => void refetch()}>{TEXTS.again}</Button>
      </div>
    );
  }
  if (data?.fault) return <Notice tone="bad">{data.fault}</Notice>;
  const waiting = (
    <div role="status">
      <span className="text-ink-2">{TEXTS.loading}</span>
      <Skeleton className="mt-2 h-96" />
    </div>
  );
  if (!data?.look) return waiting;
  return (
    <Suspense fallback={waiting}>
      <RegistrationView
        key={JSON.stringify(data.look.map)}
        projectId={projectId}
        look={data.look}
      />
    </Suspense>
  );
}
