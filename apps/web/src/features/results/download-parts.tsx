import { downloadParts } from "@stipple/contract/routes/results";
import { useQuery } from "@tanstack/react-query";
import { Download as DownloadIcon } from "lucide-react";
import { api } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { HelpLink } from "../../components/help-link.tsx";

import { resultsTexts } from "./texts.ts";
import { byteText } from "../../project/uploads/byte-text.ts";
import type { Download } from "./use-download.tsx";

/** The parts of finished results, each with its own download. Nothing while they are not known. */
export function DownloadParts({
  projectId,
  version,
  download,
}: {
  projectId: string;
  version: string | null;
  download: Download;
}) {
  const { data } = useQuery({
    queryKey: ["download-parts", projectId, version],
    queryFn: ({ signal }) => api(downloadParts, { query: { project_id: projectId }, signal }),
  });
  if (!data || data.parts.length === 0) return null;
  return (
    <Card
      title={resultsTexts.partsTitle}
      description={resultsTexts.partsText}
      actions={<HelpLink page="other-programs" />}
    >
      <ul className="grid gap-x-10 lg:grid-cols-2">
        {data.parts.map(({ part, title, text, size }) => (
          <li
            key={part}
            className="flex items-center gap-3 border-t border-line py-2.5 first:border-t-0 lg:nth-2:border-t-0"
          >
            <div className="min-w-0 flex-1">
              <p className="font-medium">{title}</p>
              <p className="text-[0.8125rem] text-ink-3">{text}</p>
            </div>
            <span className="shrink-0 text-[0.8125rem] text-ink-3 tabular-nums">
              {byteText(size)}
            </span>
            <Button
              size="sm"
              aria-label={resultsTexts.downloadPart(title)}
              icon={<DownloadIcon aria-hidden className="size-4" />}
              disabled={download.busy}
              onClick={() => void download.start(part)}
            >
              {resultsTexts.downloadOne}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
