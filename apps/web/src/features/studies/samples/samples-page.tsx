import { createStudy, type Study } from "@stipple/contract/routes/studies";
import { useState } from "react";
import { useParams } from "wouter";
import { errorText } from "../../../app/api.ts";
import { useNavigateFromHere } from "../../../app/use-navigate-from-here.ts";
import { usePageTitle } from "../../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { TextField } from "../../../components/field.tsx";
import { HelpLink } from "../../../components/help-link.tsx";
import { Loading } from "../../../components/load-failure.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Page } from "../../../components/page.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { DropZone } from "../../../project/uploads/drop-zone.tsx";
import { saveFile } from "../../../components/save-drawing.ts";
import { STUDIES_TEXTS, STUDY_TEXTS } from "../texts.ts";
import { useStudy, STUDIES_KEY, studyKey } from "../use-studies.ts";
import { continuedBy } from "./check-row.ts";
import { CheckedSamples } from "./checked-samples.tsx";
import { SAMPLES_TEXTS as TEXTS } from "./texts.ts";
import { useIntake } from "./use-intake.ts";
import { cleanOptions, type ChosenOptions } from "@stipple/contract/analysis-options";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../app/api.ts";
import { designValue, settingOf, type SettingKey, type Shared } from "./intake.ts";
import type { JudgedRow } from "./samples-table.tsx";
import { sendSamples, type NewSample } from "./send-samples.ts";

const TEMPLATE =
  "sample,folder,platform,staining,species,tissue,condition,patient,batch\nS1,S1/outs,visium,h_and_e,human,breast,tumor,P1,V1\n";

/** Adds samples to a study from a folder of samples or a sample sheet; /studies/new makes the study as well. */
export function SamplesPage() {
  const { id } = useParams<{ id?: string }>();
  return id === undefined ? <AddSamples study={undefined} /> : <AddToStudy id={id} />;
}

function AddToStudy({ id }: { id: string }) {
  const study = useStudy(id);
  if (study.data) return <AddSamples study={study.data} />;
  return (
    <Page title={TEXTS.title}>
      <Loading
        query={study}
        texts={{ ...STUDIES_TEXTS, loadFailed: STUDY_TEXTS.loadFailed(errorText(study.error)) }}
        height="h-96"
      />
    </Page>
  );
}

function AddSamples({ study }: { study: Study | undefined }) {
  const title = study ? TEXTS.title : TEXTS.newTitle;
  usePageTitle(title);
  const [name, setName] = useState("");
  const [nameFault, setNameFault] = useState<string>();
  const coming = useIntake(study);
  const { intake, shared, judged, columns } = coming;
  const adding = useAdding(study);
  const unfinished = study?.samples.filter((one) => continuedBy(one.name, study)) ?? [];

  function add(): void {
    if (!study && name.trim() === "") return setNameFault(STUDIES_TEXTS.nameNeeded);
    const samples = judged.map((one) =>
      newSample(one, { study, shared, columns: columns.further }),
    );
    adding.mutate({ name: name.trim(), samples });
  }

  return (
    <Page
      title={title}
      text={study ? study.name : TEXTS.lead}
      actions={
        <>
          <HelpLink page="studies" className="self-center" />
          <Button
            onClick={() => saveFile(new Blob([TEMPLATE], { type: "text/csv" }), "samples.csv")}
          >
            {TEXTS.template}
          </Button>
          <ButtonLink to={study ? `/studies/${study.id}` : "/studies"}>
            {study ? STUDIES_TEXTS.cancel : STUDY_TEXTS.back}
          </ButtonLink>
        </>
      }
    >
      <div className="space-y-6">
        {unfinished.length > 0 && intake.rows.length === 0 && (
          <Notice tone="info">
            {TEXTS.unfinished(unfinished.map((one) => one.name).join(", "))}
          </Notice>
        )}
        {!study && (
          <TextField
            label={TEXTS.name}
            error={nameFault}
            className="max-w-md"
            autoComplete="off"
            maxLength={200}
            value={name}
            onText={(text) => {
              setName(text);
              setNameFault(undefined);
            }}
          />
        )}
        <DropZone
          title={TEXTS.dropTitle}
          hint={TEXTS.dropHint}
          page="studies"
          onFiles={(picked) => void coming.take(picked)}
        />
        <StatusMessage text={coming.problem} failed />
        {intake.rows.length > 0 && (
          <CheckedSamples
            coming={coming}
            isAdding={adding.isPending}
            error={adding.error}
            onAdd={add}
          />
        )}
      </div>
    </Page>
  );
}

/** Creates the study, if it is new, and the samples' projects in it, then shows the study while they are uploaded. */
function useAdding(study: Study | undefined) {
  const client = useQueryClient();
  const navigate = useNavigateFromHere();
  return useMutation({
    mutationFn: async ({ name, samples }: { name: string; samples: readonly NewSample[] }) => {
      const body = { name, project_ids: [] };
      const id = study?.id ?? (await api(createStudy, { body })).id;
      await sendSamples(id, samples);
      return id;
    },
    onSuccess: (id) => {
      for (const queryKey of [STUDIES_KEY, studyKey(id), ["projects"]]) {
        void client.invalidateQueries({ queryKey });
      }
      navigate(`/studies/${id}`);
    },
  });
}

/** A checked row as it is created and uploaded. */
function newSample(
  { row, checked }: JudgedRow,
  {
    study,
    shared,
    columns,
  }: { study: Study | undefined; shared: Shared; columns: readonly string[] },
): NewSample {
  const value = (key: SettingKey): string => settingOf(row, shared, key);
  const { platform: _, resolution: __, staining: ___, analysisType: ____, ...others } = row.own;
  const settings = { ...others, species: value("species"), tissue: value("tissue") };
  const cell = (column: string): string => designValue(row, column).trim();
  return {
    name: row.name.trim(),
    projectId: continuedBy(row.name, study)?.project_id ?? null,
    options: cleanOptions({
      platform: value("platform"),
      staining: value("staining"),
      analysis_type: value("analysisType"),
      resolution: value("resolution"),
    } as ChosenOptions),
    settings: Object.fromEntries(
      Object.entries(settings)
        .filter(([, given]) => given !== "")
        .map(([key, given]) => [key, key === "seed" ? Number(given) : given]),
    ),
    design: {
      ...{ condition: cell("condition"), patient: cell("patient"), batch: cell("batch") },
      more: Object.fromEntries(columns.map((column) => [column, cell(column)])),
    },
    files: checked?.found ?? [],
  };
}
