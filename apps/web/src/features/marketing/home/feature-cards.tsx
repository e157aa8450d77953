import { Fragment, useEffect, useRef, useState, type CSSProperties, type ReactNode } from "react";
import { FEATURES, HOME_TEXTS } from "./texts.ts";
import { Section } from "../section.tsx";

export function FeatureCards() {
  return (
    <Section tinted title={HOME_TEXTS.featuresTitle}>
      <ul className="grid gap-6 lg:grid-cols-3">
        {FEATURES.map(({ id, title, text }) => (
          <li
            key={id}
            className="overflow-hidden rounded-card border border-line bg-canvas transition-colors hover:border-line-input"
          >
            <Live>{DRAWINGS[id]}</Live>
            <div className="p-6">
              <h3 className="text-lg">{title}</h3>
              <p className="mt-2 text-[0.9375rem] leading-6 text-ink-2">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Animates its drawing part by part when it scrolls into view, and again on hover. */
function Live({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      threshold: 0.6,
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={frame}
      data-seen={seen}
      onPointerEnter={() => setRound(round + 1)}
      className="live border-b border-line bg-raised"
    >
      <Fragment key={round}>{children}</Fragment>
    </div>
  );
}

/** Delays each part of a drawing slightly after the one before it. */
const after = (at: number): CSSProperties => ({ animationDelay: `${at * 0.18}s` });

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg aria-hidden viewBox="0 0 320 160" className="block h-40 w-full" fill="none">
      {children}
    </svg>
  );
}

const NUCLEI = [
  [60, 54, 13, 10],
  [104, 96, 12, 9],
  [128, 46, 10, 12],
  [170, 84, 14, 10],
  [206, 42, 11, 9],
  [236, 106, 12, 12],
  [266, 60, 11, 10],
  [150, 126, 11, 8],
  [64, 116, 10, 9],
] as const;

const DRAWINGS: Record<(typeof FEATURES)[number]["id"], ReactNode> = {
  detection: (
    <Drawing>
      {NUCLEI.map(([x, y, rx, ry], at) => (
        <g key={at}>
          <ellipse cx={x} cy={y} rx={rx * 1.9} ry={ry * 1.9} className="fill-accent/10" />
          <ellipse
            cx={x}
            cy={y}
            rx={rx * 1.9}
            ry={ry * 1.9}
            className="live-outline stroke-primary"
            strokeWidth="1.5"
            pathLength="100"
            style={after(at)}
          />
          <ellipse cx={x} cy={y} rx={rx} ry={ry} className="fill-primary/70" />
        </g>
      ))}
    </Drawing>
  ),
  spatial: (
    <Drawing>
      {[0, 1, 2].flatMap((row) =>
        [0, 1, 2, 3, 4].map((column) => {
          const x = 48 + column * 52 + (row % 2) * 26;
          const y = 36 + row * 44;
          return (
            <g key={`${row}-${column}`}>
              <circle cx={x} cy={y} r="19" className="fill-primary/15 stroke-primary/50" />
              {[0, 1, 2].map((cell) => (
                <circle
                  key={cell}
                  cx={x + 9 * Math.cos((cell * 2 + row) * 1.05 + column)}
                  cy={y + 9 * Math.sin((cell * 2 + row) * 1.05 + column)}
                  r={(cell + column + row) % 3 === 0 ? 5 : 3.5}
                  style={after(column + row)}
                  className={`live-cell ${(cell + column) % 2 === 0 ? "fill-accent" : "fill-primary"}`}
                />
              ))}
            </g>
          );
        }),
      )}
    </Drawing>
  ),
  interactive: (
    <Drawing>
      <rect x="36" y="24" width="160" height="112" rx="8" className="fill-card stroke-line" />
      {Array.from({ length: 46 }, (_, at) => {
        const angle = at * 2.4;
        const radius = 6.6 * Math.sqrt(at);
        return (
          <circle
            key={at}
            cx={116 + 1.4 * radius * Math.cos(angle)}
            cy={80 + radius * Math.sin(angle)}
            r="3.4"
            className={at < 14 ? "fill-accent" : at % 3 === 0 ? "fill-ok" : "fill-primary/80"}
          />
        );
      })}
      <path
        d="M96 62c14-14 42-10 46 8s-20 34-38 28-22-22-8-36z"
        className="live-outline stroke-ink"
        strokeWidth="2"
        pathLength="100"
      />
      {[0, 1, 2, 3].map((row) => (
        <g key={row}>
          <circle
            cx="220"
            cy={42 + row * 26}
            r="5"
            className={["fill-accent", "fill-primary", "fill-ok", "fill-missing"][row]}
          />
          <rect
            x="234"
            y={38 + row * 26}
            width={[52, 38, 46, 30][row]}
            height="8"
            rx="4"
            className="fill-line"
          />
        </g>
      ))}
    </Drawing>
  ),
};
