import { Checkbox } from "../../components/checkbox.tsx";
import type { Project } from "@stipple/contract/routes/projects";

/** Projects to tick. */
export function ProjectChoice({
  legend,
  projects,
  chosen,
  onChange,
}: {
  legend: string;
  projects: readonly Project[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className="min-w-0">
      {/* Floats, because Safari counts any other legend twice in a column of flex items. */}
      <legend className="float-left mb-1.5 w-full font-medium">{legend}</legend>
      <div className="clear-left max-h-64 overflow-y-auto rounded-control border border-line">
        {projects.map(({ id, name }) => (
          <Checkbox
            key={id}
            className="min-h-10 gap-3 px-3 py-1.5 hover:bg-raised"
            checked={chosen.has(id)}
            onCheck={() => toggle(id)}
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}
