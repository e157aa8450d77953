import { createProject } from "@stipple/contract/routes/projects";
import { takeReference } from "@stipple/contract/routes/references";
import { REFERENCE_SLOT } from "@stipple/contract/platforms/shared-slots";
import { ArrowRight, FlaskConical } from "lucide-react";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { api, errorText } from "../../app/api.ts";
import { analysisPath } from "../../app/use-project-id.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { Field, Input } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { projectNameTexts, SETUP_CHOICES } from "../../project/texts.ts";
import { toast } from "../../components/toast-store.ts";
import { referenceTexts } from "../../project/references/texts.ts";
import { setupTexts } from "./texts.ts";
import { startSample } from "../../project/start-sample.ts";
import { uploads } from "../../project/uploads/uploads.ts";
import { MoreChoices, NOTHING_MORE, type More } from "./more-choices.tsx";
import { QuotaNotice } from "../../app/subscription/quota-notice.tsx";
import { checkSetup, EMPTY_SETUP, hasBins, type Setup } from "./setup-rules.ts";

/** How long the success message is shown before the next page, ms: long enough for a screen reader. */
const BEFORE_UPLOAD_MS = 900;

/** Uses a kept reference in a new project, which is there even if this fails. */
async function take(projectId: string, reference: string): Promise<void> {
  try {
    const body = { reference_id: reference };
    await api(takeReference, { params: { id: projectId }, body });
  } catch (error) {
    toast(referenceTexts.useFailed(errorText(error, referenceTexts.noAnswer)), { failed: true });
  }
}

/** Step 1: name and kind of a new analysis. */
export function Step1Page() {
  const [, navigate] = useLocation();
  const [setup, setSetup] = useState<Setup>(EMPTY_SETUP);
  const [more, setMore] = useState<More>(NOTHING_MORE);
  const [message, setMessage] = useState<{ text: string; failed: boolean } | null>(null);
  const [busy, setBusy] = useState<"create" | "sample" | null>(null);

  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  function fill(part: Partial<Setup>): void {
    setSetup((before) => ({ ...before, ...part }));
    setMessage(null);
  }

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    const checked = checkSetup(setup);
    if ("problem" in checked) return setMessage({ text: checked.problem, failed: true });
    setBusy("create");
    setMessage(null);
    try {
      const settings = Object.keys(more.settings).length > 0 ? { settings: more.settings } : {};
      const body = { ...checked.body, ...settings };
      const { project_id: projectId } = await api(createProject, { body });
      if (more.reference) void uploads.add(projectId, REFERENCE_SLOT, more.reference);
      if (more.kept) await take(projectId, more.kept);
      setMessage({ text: setupTexts.created, failed: false });
      await new Promise((resolve) => setTimeout(resolve, BEFORE_UPLOAD_MS));
      // Do not navigate if the user has left this page in the meantime.
      if (here.current) navigate(analysisPath(2, projectId), { state: { projectId } });
    } catch (error) {
      setBusy(null);
      const text = setupTexts.failed(errorText(error, setupTexts.failedFallback));
      setMessage({ text, failed: true });
    }
  }

  async function createSample(): Promise<void> {
    setBusy("sample");
    setMessage(null);
    try {
      const { to, state } = await startSample();
      navigate(to, { state });
    } catch (error) {
      setBusy(null);
      const text = setupTexts.failed(errorText(error, setupTexts.sampleFallback));
      setMessage({ text, failed: true });
    }
  }

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <QuotaNotice className="lg:col-span-2" />
      <Card title={setupTexts.title} description={setupTexts.description}>
        <form noValidate onSubmit={create} className="flex flex-col gap-6">
          <Field label={projectNameTexts.label}>
            {(control) => (
              <Input
                {...control}
                name="project_name"
                autoComplete="off"
                maxLength={200}
                placeholder={setupTexts.namePlaceholder}
                value={setup.name}
                onChange={(event) => fill({ name: event.target.value })}
              />
            )}
          </Field>
          <ChoiceGroup
            legend={setupTexts.platform}
            choices={SETUP_CHOICES.platform}
            value={setup.platform}
            onChange={(platform) => fill({ platform, resolution: "" })}
          />
          {hasBins(setup.platform) && (
            <ChoiceGroup
              legend={setupTexts.resolution}
              choices={SETUP_CHOICES.resolution}
              value={setup.resolution}
              onChange={(resolution) => fill({ resolution })}
            />
          )}
          <ChoiceGroup
            legend={setupTexts.staining}
            choices={SETUP_CHOICES.staining}
            value={setup.staining}
            onChange={(staining) => fill({ staining })}
          />
          <ChoiceGroup
            legend={setupTexts.analysisType}
            choices={SETUP_CHOICES.analysisType}
            value={setup.analysisType}
            onChange={(analysisType) => fill({ analysisType })}
          />
          <MoreChoices value={more} onChange={setMore} />
          <StatusMessage
            className="empty:absolute"
            text={message?.text}
            failed={message?.failed ?? false}
          />
          <div className="flex justify-end border-t border-line pt-5">
            <Button
              type="submit"
              variant="primary"
              className="w-full flex-row-reverse sm:w-auto"
              icon={<ArrowRight aria-hidden className="size-4" />}
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
          icon={<FlaskConical aria-hidden className="size-4" />}
          busy={busy === "sample"}
          disabled={busy !== null}
          onClick={createSample}
        >
          {setupTexts.sampleButton}
        </Button>
      </Card>
    </div>
  );
}
