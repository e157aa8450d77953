import { X } from "lucide-react";
import { useId } from "react";
import { Options, Input, Select } from "../../../components/field.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { StatusPill } from "../../../components/status-pill.tsx";
import { DESIGN_TEXTS } from "../texts.ts";
import type { CheckedFiles } from "./check-row.ts";
import {
  designValue,
  SETTING_KEYS,
  settingOf,
  type Row,
  type SettingKey,
  type Shared,
} from "./intake.ts";
import { isNeeded, type Option } from "./setting-options.ts";
import { SAMPLES_TEXTS as TEXTS } from "./texts.ts";
import { titleOf } from "../design-table.tsx";

/** A row with what was found about it. */
export interface JudgedRow {
  row: Row;
  fault: string | null;
  /** Null while its files are looked at. */
  checked: CheckedFiles | null;
  continues: boolean;
}

interface Editing {
  shared: Shared;
  /** Columns of the design. */
  columns: readonly string[];
  optionsOf: (key: SettingKey, current: string) => Option[];
  onChange: (row: Row) => void;
  onRemove: (row: Row) => void;
}

/** The samples to add, before anything is uploaded. It scrolls sideways where there is no room. */
export function SamplesTable({ rows, ...editing }: Editing & { rows: readonly JudgedRow[] }) {
  const { shared, columns } = editing;
  const heads = [
    ...[TEXTS.sample, TEXTS.check, TEXTS.files],
    ...SETTING_KEYS.filter((key) => shared[key] === null).map((key) => TEXTS.settings[key]),
    ...columns.map(titleOf),
  ];
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={TEXTS.tableTitle}>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-y border-line bg-canvas text-left text-xs text-ink-3">
            {heads.map((head) => (
              <th
                key={head}
                scope="col"
                className="h-10 px-2 font-medium whitespace-nowrap first:px-4 md:first:pl-6"
              >
                {head}
              </th>
            ))}
            <th className="w-12">
              <span className="sr-only">{DESIGN_TEXTS.removeHeading}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((judged) => (
            <SampleRow key={judged.row.key} judged={judged} {...editing} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SampleRow({
  judged,
  shared,
  columns,
  optionsOf,
  onChange,
  onRemove,
}: Editing & { judged: JudgedRow }) {
  const { row, continues } = judged;
  const { name, folder } = row;
  const verdictId = useId();
  return (
    <tr className="border-line align-top not-last:border-b">
      <th scope="row" className="min-w-44 px-4 py-1.5 text-left font-normal md:pl-6">
        <Input
          aria-label={TEXTS.nameOf(name || folder)}
          autoComplete="off"
          maxLength={100}
          className="h-9"
          value={name}
          onChange={({ target }) => onChange({ ...row, name: target.value.trimStart() })}
        />
        <span className="mt-1 block text-[0.8125rem] [overflow-wrap:anywhere] text-ink-3">
          {folder}
        </span>
      </th>
      <td id={verdictId} className="min-w-56 px-2 py-3">
        <Verdict {...judged} />
      </td>
      <td className="min-w-44 px-2 py-3">{judged.checked && <Files {...judged.checked} />}</td>
      {SETTING_KEYS.filter((key) => shared[key] === null).map((key) => {
        const value = settingOf(row, shared, key);
        const options = optionsOf(key, value);
        return (
          <td key={key} className="min-w-36 px-2 py-1.5">
            <Select
              className="h-9"
              aria-invalid={options.some((one) => one.isUnknown && one.value === value)}
              aria-label={DESIGN_TEXTS.cell(TEXTS.settings[key], name)}
              aria-describedby={verdictId}
              disabled={continues}
              value={value}
              onChange={({ target }) =>
                onChange({ ...row, own: { ...row.own, [key]: target.value } })
              }
            >
              <option value="">{isNeeded(key) ? TEXTS.choose : TEXTS.automatic}</option>
              <Options of={options.map((one) => [one.value, one.label])} />
            </Select>
          </td>
        );
      })}
      {columns.map((column) => (
        <td key={column} className="min-w-32 px-2 py-1.5">
          <Input
            aria-label={DESIGN_TEXTS.cell(titleOf(column), name)}
            autoComplete="off"
            maxLength={200}
            className="h-9"
            disabled={continues}
            value={designValue(row, column)}
            onChange={({ target }) =>
              onChange({ ...row, design: { ...row.design, [column]: target.value } })
            }
          />
        </td>
      ))}
      <td className="px-2 py-2">
        <IconButton
          size="sm"
          icon={X}
          label={DESIGN_TEXTS.remove(name || folder)}
          onClick={() => onRemove(row)}
        />
      </td>
    </tr>
  );
}

function Verdict({ fault, checked, continues }: JudgedRow) {
  if (fault !== null) {
    return <span className="[overflow-wrap:anywhere] text-bad">{fault}</span>;
  }
  if (!checked) return <span className="text-ink-3">{TEXTS.checking}</span>;
  return <StatusPill tone="ok">{continues ? TEXTS.continues : TEXTS.ready}</StatusPill>;
}

function Files({ found, notes, leftOut }: CheckedFiles) {
  if (found.length === 0 && notes.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer">{TEXTS.fileCount(found.length)}</summary>
      <ul className="mt-1 space-y-1 text-[0.8125rem] [overflow-wrap:anywhere] text-ink-2">
        {found.map(({ slot, file }) => (
          <li key={slot.id}>
            {slot.label}: {file.name}
          </li>
        ))}
        {notes.map((note) => (
          <li key={note} className="text-bad">
            {note}
          </li>
        ))}
        {leftOut > 0 && <li>{TEXTS.leftOut(leftOut)}</li>}
      </ul>
    </details>
  );
}
