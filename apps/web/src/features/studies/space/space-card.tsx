import { useState } from "react";
import { errorText } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Field, Select } from "../../../components/field.tsx";
import { LoadFailure } from "../../../components/load-failure.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import type { AskedStudy } from "../asked-study.ts";
import { RefusalNotice } from "../refusal-notice.tsx";
import { StudyFiles } from "../study-files.tsx";
import { STUDIES_TEXTS } from "../texts.ts";
import { SpaceResult } from "./space-result.tsx";
import { SPACE_TEXTS as TEXTS } from "./texts.ts";
import { useSpace, type AskedSpace } from "./use-space.ts";

/** The samples in one space, computed when asked for: it takes minutes with many cells. */
export function SpaceCard({ study, isSaved }: { study: AskedStudy; isSaved: boolean }) {
  const [chosen, setChosen] = useState<AskedSpace>({ of: "cells", on: "counts" });
  const [asked, setAsked] = useState<AskedSpace | null>(null);
  if (study.samples.length === 0) return null;
  const isAsked = asked?.of === chosen.of && asked.on === chosen.on;
  return (
    <Card flush title={TEXTS.title} description={TEXTS.text}>
      <div className="px-4 pb-5 md:px-6">
        {study.samples.length < 2 ? (
          <p className="text-ink-2">{TEXTS.twoNeeded}</p>
        ) : isSaved ? (
          <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
            <Choices chosen={chosen} onChoose={setChosen} />
            <Button variant="primary" disabled={isAsked} onClick={() => setAsked(chosen)}>
              {TEXTS.start}
            </Button>
          </div>
        ) : (
          <Notice tone="info">{TEXTS.unsaved}</Notice>
        )}
      </div>
      {isSaved && asked && <Space study={study} asked={asked} />}
    </Card>
  );
}

/** What is placed, by what. Rates are those of cells. */
function Choices({
  chosen,
  onChoose,
}: {
  chosen: AskedSpace;
  onChoose: (chosen: AskedSpace) => void;
}) {
  return (
    <>
      <Field label={TEXTS.of.label} className="w-full sm:w-40">
        {(control) => (
          <Select
            {...control}
            value={chosen.of}
            onChange={({ target }) =>
              onChoose(
                target.value === "spots"
                  ? { of: "spots", on: "counts" }
                  : { ...chosen, of: "cells" },
              )
            }
          >
            <option value="cells">{TEXTS.of.cells}</option>
            <option value="spots">{TEXTS.of.spots}</option>
          </Select>
        )}
      </Field>
      <Field label={TEXTS.on.label} className="w-full sm:w-52">
        {(control) => (
          <Select
            {...control}
            value={chosen.on}
            onChange={({ target }) =>
              onChoose({ ...chosen, on: target.value === "rate" ? "rate" : "counts" })
            }
          >
            <option value="counts">{TEXTS.on.counts}</option>
            {chosen.of === "cells" && <option value="rate">{TEXTS.on.rate}</option>}
          </Select>
        )}
      </Field>
    </>
  );
}

function Space({ study, asked }: { study: AskedStudy; asked: AskedSpace }) {
  const { data, error, refetch } = useSpace(study, asked);
  if (error) {
    return (
      <div className="px-4 pb-6 md:px-6">
        <LoadFailure
          text={errorText(error, TEXTS.failed)}
          action={STUDIES_TEXTS.tryAgain}
          onRetry={() => void refetch()}
        />
      </div>
    );
  }
  if (!data) {
    return (
      <div className="px-4 pb-6 md:px-6">
        <p role="status" className="mb-3 text-ink-2">
          {TEXTS.computing}
        </p>
        <Skeleton className="h-72" />
      </div>
    );
  }
  if (!data.space) {
    return (
      <RefusalNotice
        {...{ title: TEXTS.refused, refusal: data.refusal, isShared: study.isShared }}
      />
    );
  }
  return (
    <>
      <SpaceResult space={data.space} points={data.points} />
      {study.mayExport && (
        <StudyFiles study={study} query={asked} names={data.space.files} title={TEXTS.files} />
      )}
    </>
  );
}
