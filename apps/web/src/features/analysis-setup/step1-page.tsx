import { ArrowRight, FlaskConical } from "lucide-react";
import { useState, type FormEvent } from "react";
import { QuotaNotice } from "../../app/subscription/quota-notice.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { TextField } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { projectNameTexts, SETUP_CHOICES } from "../../project/texts.ts";
import { MoreChoices, NOTHING_MORE, type More } from "./more-choices.tsx";
import { EMPTY_SETUP, hasBins, type Setup } from "./setup-rules.ts";
import { setupTexts } from "./texts.ts";
import { useCreation } from "./use-creation.ts";

/** Step 1: name and kind of a new analysis. */
export function Step1Page() {
  const [setup, setSetup] = useState<Setup>(EMPTY_SETUP);
  const [more, setMore] = useState<More>(NOTHING_MORE);
  const { busy, message, setMessage, create, createSample } = useCreation();

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void create(setup, more);
  };

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <QuotaNotice className="lg:col-span-2" />
      <Card title={setupTexts.title} description={setupTexts.description}>
        <form noValidate onSubmit={submit} className="flex flex-col gap-6">
          <SetupFields
            setup={setup}
            onChange={(part) => {
              setSetup((before) => ({ ...before, ...part }));
              setMessage(null);
            }}
          />
          <MoreChoices value={more} onChange={setMore} />
          <StatusMessage text={message?.text} failed={message?.failed ?? false} />
          <div className="flex justify-end border-t border-line pt-5">
            <Button
              type="submit"
              variant="primary"
              className="w-full flex-row-reverse sm:w-auto"
              icon={ArrowRight}
              busy={busy === "create"}
              disabled={setup.name.trim() === "" || busy !== null}
            >
              {setupTexts.next}
            </Button>
          </div>
        </form>
      </Card>
      <Card title={setupTexts.sampleTitle}>
        <p className="text-ink-2">{setupTexts.sampleText}</p>
        <Button
          className="mt-4 w-full"
          icon={FlaskConical}
          busy={busy === "sample"}
          disabled={busy !== null}
          onClick={() => void createSample()}
        >
          {setupTexts.sampleButton}
        </Button>
      </Card>
    </div>
  );
}

function SetupFields({
  setup,
  onChange,
}: {
  setup: Setup;
  onChange: (part: Partial<Setup>) => void;
}) {
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
