import { platformById } from "@stipple/contract/platforms/index";
import { errorText } from "../../../app/api.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { isPlatform } from "./check-row.ts";
import { settingOf, SETTING_KEYS } from "./intake.ts";
import { SamplesTable } from "./samples-table.tsx";
import { useSettingOptions, isNeeded } from "./setting-options.ts";
import { SAMPLES_TEXTS as TEXTS, QUOTA_TEXTS } from "./texts.ts";
import type { useIntake } from "./use-intake.ts";
import { PLANS, UNLIMITED } from "@stipple/contract/business/plan-list";
import { wholeDollars } from "../../../app/dollars.ts";
import { useSession } from "../../../app/session.ts";
import { nothingLeft } from "../../../app/subscription/usage.ts";
import { Notice } from "../../../components/notice.tsx";
import { Options, SelectField } from "../../../components/field.tsx";

/** No setting is called so. */
const BY_SAMPLE = "\u0000";
const SINGLE = PLANS.find(({ billing }) => billing === "one_time")!;

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
  // Bins are chosen only where a sample's platform has some.
  const settings = SETTING_KEYS.filter(
    (key) =>
      key !== "resolution" || judged.some(({ row }) => hasBins(settingOf(row, shared, "platform"))),
  );
  const isFaulty = judged.some(({ fault }) => fault !== null);
  const isSound = !isFaulty && judged.every(({ checked }) => checked !== null);
  return (
    <>
      <Card title={TEXTS.sharedTitle} description={TEXTS.sharedText}>
        <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
          {settings.map((key) => (
            <SelectField
              key={key}
              label={TEXTS.settings[key]}
              value={shared[key] ?? BY_SAMPLE}
              onValue={(value) =>
                coming.setShared({ ...shared, [key]: value === BY_SAMPLE ? null : value })
              }
            >
              <option value="">{isNeeded(key) ? TEXTS.choose : TEXTS.automatic}</option>
              <Options of={optionsOf(key, shared[key]).map(({ value, label }) => [value, label])} />
              <option value={BY_SAMPLE}>{TEXTS.bySample}</option>
            </SelectField>
          ))}
        </div>
      </Card>
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
      {error && <StatusMessage failed text={TEXTS.failed(errorText(error))} />}
    </>
  );
}

function hasBins(platform: string): boolean {
  return isPlatform(platform) && platformById(platform).resolutions.length > 0;
}

/** What the samples take of the plan, before anything is created. */
function QuotaLine({ count }: { count: number }) {
  const { user, verified } = useSession();
  if (!verified) return null;
  const what = QUOTA_TEXTS.count(count);
  const { analyses_limit: limit, analyses_count: used } = user;
  if (nothingLeft(user) === "expired") return <Short text={QUOTA_TEXTS.expired(what)} />;
  const left = Math.max(0, limit - used);
  if (limit === UNLIMITED) return <Notice tone="info">{QUOTA_TEXTS.unlimited(what)}</Notice>;
  if (left >= count) return <Notice tone="info">{QUOTA_TEXTS.enough(what, left)}</Notice>;
  const price = wholeDollars(SINGLE.priceCents / 100);
  return <Short text={QUOTA_TEXTS.short(what, left, price)} />;
}

function Short({ text }: { text: string }) {
  return (
    <Notice
      tone="warn"
      actions={
        <ButtonLink size="sm" to="/pricing">
          {QUOTA_TEXTS.seePlans}
        </ButtonLink>
      }
    >
      {text}
    </Notice>
  );
}
