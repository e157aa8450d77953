import { ButtonLink } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { SampleButton } from "./sample-button.tsx";
import { DASHBOARD_TEXTS as TEXTS } from "./texts.ts";

/** In place of projects: how to get the first one. */
export function NoProjects({ title, text }: { title: string; text: string }) {
  return (
    <EmptyState
      title={title}
      text={text}
      actions={
        <>
          <ButtonLink to="/analysis/step1" variant="primary">
            {TEXTS.newAnalysis}
          </ButtonLink>
          <SampleButton />
        </>
      }
    />
  );
}
