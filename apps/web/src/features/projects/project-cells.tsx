import type { Project } from "@stipple/contract";
import { getStatistics, OUTPUT_IMAGE } from "@stipple/contract/routes/results";
import { GRADE_WORDS } from "@stipple/contract/verdict";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { api } from "../../app/api.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { verdictTexts } from "../../project/verdict/texts.ts";
import { PROJECTS_TEXTS as TEXTS } from "./texts.ts";
import { useResultImage } from "../../project/use-result-image.ts";
import { ProjectPill } from "./project-pill.tsx";
import { useEffect, useRef, useState, type RefObject } from "react";

/** A project's picture and full name, which can be changed. */
export function NameCell({
  project,
  onRename,
}: {
  project: Project;
  onRename: (project: Project) => void;
}) {
  return (
    <span className="flex items-center gap-3 md:py-1">
      <Thumbnail project={project} />
      <span className="min-w-0 [overflow-wrap:anywhere]">{project.name}</span>
      <IconButton
        size="sm"
        icon={Pencil}
        label={TEXTS.renameNamed(project.name)}
        onClick={() => onRename(project)}
      />
    </span>
  );
}

/** The tissue with its cells, cut out of the figure on the results page; an empty square while there is none. */
function Thumbnail({ project: { id, status } }: { project: Project }) {
  const [place, seen] = useInView<HTMLSpanElement>();
  const { url, parts } = useResultImage(
    id,
    OUTPUT_IMAGE,
    seen && status === "completed" ? null : undefined,
    "200",
  );
  const box = parts?.tissue ?? { left: 0, top: 0, width: 1, height: 1 };
  return (
    <span
      ref={place}
      aria-hidden
      className="relative block size-11 shrink-0 overflow-hidden rounded border border-line bg-raised md:max-lg:hidden"
    >
      {url && (
        <img
          src={url}
          alt=""
          className="absolute max-w-none"
          style={{
            width: `${100 / box.width}%`,
            left: `${(-100 * box.left) / box.width}%`,
            // A picture's percentages from the top refer to its place, so it is moved by its own height instead.
            transform: `translateY(${-100 * box.top}%)`,
          }}
        />
      )}
    </span>
  );
}

/** A project's status and, once it has results, how reliable they are. */
export function StatusCell({ project }: { project: Project }) {
  const { id, status } = project;
  const [place, seen] = useInView<HTMLSpanElement>();
  const { data } = useQuery({
    queryKey: ["statistics-in-list", id],
    queryFn: ({ signal }) => api(getStatistics, { query: { project_id: id }, signal }),
    enabled: seen && status === "completed",
    retry: false,
    staleTime: 5 * 60_000,
  });
  const verdict = data?.verdict;
  return (
    <span ref={place} className="flex flex-col items-start gap-0.5 max-md:items-end">
      <ProjectPill project={project} />
      {verdict && (
        <span className="text-[0.8125rem] whitespace-nowrap text-ink-3" title={verdict.sentence}>
          {verdictTexts.pill(GRADE_WORDS[verdict.grade])}
        </span>
      )}
    </span>
  );
}

/** Whether an element has been on the screen, or close to it; once true, it stays true. */
function useInView<E extends Element>(): [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (seen || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: "200px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [seen]);
  return [element, seen];
}
