import type { StudySample } from "@stipple/contract/routes/studies";
import { ArrowUp, X } from "lucide-react";
import { useRef } from "react";
import { Link } from "wouter";
import { IconButton } from "../../components/icon-button.tsx";
import { Input } from "../../components/field.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { cellOf, FIXED_COLUMNS, withCell, withMoved, type Design } from "./design.ts";
import { DESIGN_TEXTS as TEXTS } from "./texts.ts";

/** The design, a cell for each column of each sample. It scrolls sideways where there is no room. */
export function DesignTable({
  design,
  onEdit,
}: {
  design: Design;
  onEdit: (design: Design) => void;
}) {
  const { columns, samples } = design;
  const all = [...FIXED_COLUMNS, ...columns];
  const region = useRef<HTMLDivElement>(null);
  const editWithoutButton = (changed: Design): void => {
    onEdit(changed);
    // The pressed button goes with its row or column, or cannot be pressed in the first row.
    requestAnimationFrame(() => region.current?.focus({ preventScroll: true }));
  };
  return (
    <div
      ref={region}
      className="overflow-x-auto"
      tabIndex={0}
      role="region"
      aria-label={TEXTS.title}
    >
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-y border-line bg-canvas text-left text-xs text-ink-3">
            <th scope="col" className="h-10 px-4 font-medium md:pl-6">
              {TEXTS.sample}
            </th>
            {all.map((column) => (
              <th key={column} scope="col" className="px-2 font-medium whitespace-nowrap">
                <span className="inline-flex items-center gap-1">
                  {titleOf(column)}
                  {columns.includes(column) && (
                    <IconButton
                      size="sm"
                      icon={X}
                      label={TEXTS.removeColumn(column)}
                      onClick={() =>
                        editWithoutButton({
                          ...design,
                          columns: columns.filter((one) => one !== column),
                        })
                      }
                    />
                  )}
                </span>
              </th>
            ))}
            <th className="w-20">
              <span className="sr-only">{TEXTS.actionsHeading}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {samples.map((sample, row) => (
            <SampleRow
              key={sample.project_id ?? `ended ${row}`}
              sample={sample}
              columns={all}
              onChange={(changed) => onEdit({ ...design, samples: samples.with(row, changed) })}
              onMoveUp={
                row > 0
                  ? () => (row > 1 ? onEdit : editWithoutButton)(withMoved(design, row))
                  : undefined
              }
              onRemove={() => editWithoutButton({ ...design, samples: samples.toSpliced(row, 1) })}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How a column is headed. */
export function titleOf(column: string): string {
  return Object.hasOwn(TEXTS.fixed, column)
    ? TEXTS.fixed[column as keyof typeof TEXTS.fixed]
    : column;
}

function SampleRow({
  sample,
  columns,
  onChange,
  onMoveUp,
  onRemove,
}: {
  sample: StudySample;
  columns: readonly string[];
  onChange: (sample: StudySample) => void;
  /** Undefined for the first row. */
  onMoveUp: (() => void) | undefined;
  onRemove: () => void;
}) {
  const { project_id: project, name } = sample;
  return (
    <tr className="border-line not-last:border-b">
      <th scope="row" className="min-w-36 px-4 py-1.5 text-left font-medium md:pl-6">
        {project === null ? (
          <span className="inline-flex flex-wrap items-center gap-2">
            {name}
            <StatusPill tone="bad">{TEXTS.ended}</StatusPill>
          </span>
        ) : (
          <Link
            to={`/analysis/step4?project_id=${project}`}
            className="[overflow-wrap:anywhere] text-primary hover:underline"
          >
            {name}
          </Link>
        )}
      </th>
      {columns.map((column) => (
        <td key={column} className="min-w-32 px-2 py-1.5">
          <Input
            aria-label={TEXTS.cell(titleOf(column), name)}
            autoComplete="off"
            maxLength={200}
            className="h-9"
            value={cellOf(sample, column)}
            onChange={({ target }) => onChange(withCell(sample, column, target.value))}
          />
        </td>
      ))}
      <td className="px-2 whitespace-nowrap *:inline-grid">
        <IconButton
          size="sm"
          icon={ArrowUp}
          label={TEXTS.moveUp(name)}
          disabled={!onMoveUp}
          onClick={() => onMoveUp?.()}
        />
        <IconButton size="sm" icon={X} label={TEXTS.remove(name)} onClick={onRemove} />
      </td>
    </tr>
  );
}
