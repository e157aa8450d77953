import { joinClasses } from "./join-classes.ts";

/** Marks drawn by ourselves: the icon set holds no brands. */
const MARKS = [
  {
    id: "linkedIn",
    label: "LinkedIn",
    path: "M4 9h3.4v11H4zM5.7 3.6a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM9.6 9h3.2v1.5c.6-1 1.7-1.8 3.3-1.8 3.2 0 3.9 2 3.9 4.8V20h-3.4v-5.7c0-1.5-.2-2.7-1.7-2.7-1.6 0-1.9 1.2-1.9 2.6V20H9.6z",
  },
  {
    id: "youTube",
    label: "YouTube",
    path: "M12 5c4.5 0 7.4.2 8.3.6 1 .5 1.5 1.3 1.6 2.4.2 1.6.2 6.4 0 8-.1 1.1-.6 1.9-1.6 2.4-.9.4-3.8.6-8.3.6s-7.4-.2-8.3-.6c-1-.5-1.5-1.3-1.6-2.4-.2-1.6-.2-6.4 0-8 .1-1.1.6-1.9 1.6-2.4C4.600 5.200 7.500 5 12 5zm-2 3.900v6.200l5.400-3.100z",
  },
  {
    id: "x",
    label: "X",
    path: "M3.500 4h5l4 5.600L17.300 4h2.200l-6 7L20.500 20h-5l-4.300-6-5.200 6H3.800l6.400-7.400zm3 1.600L16.300 18.400h1.500L8 5.600z",
  },
] as const;

export type SocialId = (typeof MARKS)[number]["id"];

/** Icon links to the product's pages elsewhere; open in a new tab. */
export function SocialLinks({
  links,
  className,
}: {
  links: Record<SocialId, string>;
  className?: string;
}) {
  return (
    <ul className={joinClasses("flex gap-1", className)}>
      {MARKS.map(({ id, label, path }) => (
        <li key={id}>
          <a
            href={links[id]}
            target="_blank"
            rel="noreferrer"
            aria-label={label}
            className="grid size-9 place-items-center rounded-control text-ink-3 hover:bg-raised hover:text-ink"
          >
            <svg aria-hidden viewBox="0 0 24 24" className="size-4.5 fill-current">
              <path d={path} />
            </svg>
          </a>
        </li>
      ))}
    </ul>
  );
}
