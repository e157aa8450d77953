import { registration } from "@stipple/contract/routes/registration";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { api, errorText } from "../../../app/api.ts";
import { lazyPart } from "../../../app/load-code.ts";
import { ClosedSection } from "../../../components/closed-section.tsx";
import { LoadFailure } from "../../../components/load-failure.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { registrationTexts as TEXTS } from "./texts.ts";

const RegistrationView = lazyPart(() => import("./registration-view.tsx"), "RegistrationView");

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
  return (
    <ClosedSection title={TEXTS.title}>
      {(isOpen) =>
        !isComplete ? (
          <p className="text-ink-2">{TEXTS.early}</p>
        ) : (
          isOpen && <Opened projectId={projectId} version={version} />
        )
      }
    </ClosedSection>
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
      <LoadFailure
        text={`Error: ${errorText(error, TEXTS.failed)}`}
        onRetry={() => void refetch()}
      />
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
