import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import type { Message } from "../../app/use-attempt.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { TextField } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { projectNameTexts, SETUP_CHOICES } from "../../project/texts.ts";
import { hasBins, type Setup } from "./setup-rules.ts";
import { setupTexts } from "./texts.ts";

interface SetupState {
  setup: Setup;
  onChange: (part: Partial<Setup>) => void;
}

/** The form of step 1, for a new project and for one that there is. */
export function SetupForm({
  title,
  description,
  setup,
  onChange,
  onNext,
  busy,
  disabled = false,
  message,
  children,
}: SetupState & {
  title: string;
  description: string;
  onNext: () => void;
  busy: boolean;
  disabled?: boolean;
  message: Message | null;
  /** More choices. */
  children?: ReactNode;
}) {
  return (
    <Card title={title} description={description}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onNext();
        }}
        className="flex flex-col gap-6"
      >
        <SetupFields setup={setup} onChange={onChange} />
        {children}
        <StatusMessage text={message?.text} failed={message?.failed ?? false} />
        <div className="flex justify-end border-t border-line pt-5">
          <Button
            type="submit"
            variant="primary"
            className="w-full flex-row-reverse sm:w-auto"
            icon={ArrowRight}
            busy={busy}
            disabled={setup.name.trim() === "" || busy || disabled}
          >
            {setupTexts.next}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function SetupFields({ setup, onChange }: SetupState) {
  return (
    <>
      <TextField
        label={projectNameTexts.label}
        name="project_name"
        autoComplete="off"
        maxLength={200}
        placeholder={setupTexts.namePlaceholder}
        value={setup.name}
        onText={(name) => onChange({ name })}
      />
      <ChoiceGroup
        legend={setupTexts.platform}
        choices={SETUP_CHOICES.platform}
        value={setup.platform}
        onChange={(platform) => onChange({ platform, resolution: "" })}
      />
      {hasBins(setup.platform) && (
        <ChoiceGroup
          legend={setupTexts.resolution}
          choices={SETUP_CHOICES.resolution}
          value={setup.resolution}
          onChange={(resolution) => onChange({ resolution })}
        />
      )}
      <ChoiceGroup
        legend={setupTexts.staining}
        choices={SETUP_CHOICES.staining}
        value={setup.staining}
        onChange={(staining) => onChange({ staining })}
      />
      <ChoiceGroup
        legend={setupTexts.analysisType}
        choices={SETUP_CHOICES.analysisType}
        value={setup.analysisType}
        onChange={(analysisType) => onChange({ analysisType })}
      />
    </>
  );
}
