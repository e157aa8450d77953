import { Input, Select } from "../../components/field.tsx";
import { PROJECTS_TEXTS as TEXTS } from "./texts.ts";
import { PROJECT_ORDERS, type ProjectOrder } from "./arrange-projects.ts";

/** Search and order of the project list. */
export function ProjectsToolbar({
  search,
  order,
  onSearch,
  onOrder,
}: {
  search: string;
  order: ProjectOrder;
  onSearch: (search: string) => void;
  onOrder: (order: ProjectOrder) => void;
}) {
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <Input
        type="search"
        aria-label={TEXTS.search}
        placeholder={TEXTS.search}
        className="min-w-0 flex-1 basis-60 sm:max-w-sm"
        value={search}
        onChange={({ target }) => onSearch(target.value)}
      />
      <Select
        aria-label={TEXTS.sort}
        className="w-full sm:ml-auto sm:w-56"
        value={order}
        onChange={({ target }) => onOrder(target.value as ProjectOrder)}
      >
        {(Object.keys(PROJECT_ORDERS) as ProjectOrder[]).map((each) => (
          <option key={each} value={each}>
            {TEXTS.orders[each]}
          </option>
        ))}
      </Select>
    </div>
  );
}
