import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { SelectField } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Awaited } from "../awaited.tsx";
import type { AskedStudy } from "../asked-study.ts";
import { StudyFiles } from "../study-files.tsx";
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
      <SelectField
        label={TEXTS.of.label}
        className="w-full sm:w-40"
        value={chosen.of}
        onValue={(value) =>
          onChoose(value === "spots" ? { of: "spots", on: "counts" } : { ...chosen, of: "cells" })
        }
      >
        <option value="cells">{TEXTS.of.cells}</option>
        <option value="spots">{TEXTS.of.spots}</option>
      </SelectField>
      <SelectField
        label={TEXTS.on.label}
        className="w-full sm:w-52"
        value={chosen.on}
        onValue={(value) => onChoose({ ...chosen, on: value === "rate" ? "rate" : "counts" })}
      >
        <option value="counts">{TEXTS.on.counts}</option>
        {chosen.of === "cells" && <option value="rate">{TEXTS.on.rate}</option>}
      </SelectField>
    </>
  );
}

function Space({ study, asked }: { study: AskedStudy; asked: AskedSpace }) {
  const query = useSpace(study, asked);
  return (
    <Awaited query={query} isShared={study.isShared} texts={TEXTS} className="h-72">
      {({ space, points }) => (
        <>
          <SpaceResult space={space} points={points} />
          {study.mayExport && (
            <StudyFiles study={study} query={asked} names={space.files} title={TEXTS.files} />
          )}
        </>
      )}
    </Awaited>
  );
}
