import { platformById } from "@stipple/contract/platforms/index";
import { errorText } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { STUDIES_TEXTS } from "../texts.ts";
import { isPlatform } from "./check-row.ts";
import { settingOf } from "./intake.ts";
import { QuotaLine } from "./quota-line.tsx";
import { SamplesTable } from "./samples-table.tsx";
import { useSettingOptions } from "./setting-options.ts";
import { SharedSettings } from "./shared-settings.tsx";
import { SAMPLES_TEXTS as TEXTS } from "./texts.ts";
import type { useIntake } from "./use-intake.ts";

/** The dropped samples with their settings, what they cost, and the button that adds them. */
export function CheckedSamples({
  coming,
  isAdding,
  error,
  onAdd,
}: {
  coming: ReturnType<typeof useIntake>;
  isAdding: boolean;
  error: Error | null;
  onAdd: () => void;
}) {
  const { intake, shared, judged, columns } = coming;
  const optionsOf = useSettingOptions();
  const isFaulty = judged.some(({ fault }) => fault !== null);
  const isSound = !isFaulty && judged.every(({ checked }) => checked !== null);
  return (
    <>
      <SharedSettings
        shared={shared}
        hasBins={judged.some(({ row }) => hasBins(settingOf(row, shared, "platform")))}
        optionsOf={optionsOf}
        onChange={coming.setShared}
      />
      <Card
        flush
        title={TEXTS.tableTitle}
        description={intake.sheet === null ? undefined : TEXTS.sheetRead(intake.sheet)}
        actions={
          <Button size="sm" onClick={coming.clear}>
            {TEXTS.clear}
          </Button>
        }
      >
        <SamplesTable
          rows={judged}
          shared={shared}
          columns={columns.all}
          optionsOf={optionsOf}
          onChange={coming.onChange}
          onRemove={coming.onRemove}
        />
      </Card>
      <QuotaLine count={judged.length} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button
          variant="primary"
          busy={isAdding}
          disabled={!isSound || coming.problem !== undefined}
          onClick={onAdd}
        >
          {TEXTS.upload(judged.length)}
        </Button>
        <p className="min-w-0 flex-1 basis-64 text-ink-2">
          {isFaulty ? TEXTS.mend : TEXTS.closeable}
        </p>
      </div>
      {error && (
        <StatusMessage failed text={TEXTS.failed(errorText(error, STUDIES_TEXTS.connection))} />
      )}
    </>
  );
}

function hasBins(platform: string): boolean {
  return isPlatform(platform) && platformById(platform).resolutions.length > 0;
}
