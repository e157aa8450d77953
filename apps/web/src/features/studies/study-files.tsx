import { studyFile } from "@stipple/contract/routes/studies";
import { sharedStudyFile } from "@stipple/contract/routes/study-sharing";
import { useMutation } from "@tanstack/react-query";
import { apiResponse, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast-store.ts";
import type { AskedStudy } from "./asked-study.ts";
import { saveFile } from "../../components/save-drawing.ts";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";
import type { AskedSpace } from "./space/use-space.ts";
import type { Asked } from "./use-comparison.ts";

/** Files to download, of the comparison or the space that `query` names. */
export function StudyFiles({
  study: { id, isShared },
  query,
  names,
  title,
}: {
  study: AskedStudy;
  query: Asked | AskedSpace;
  names: readonly string[];
  title: string;
}) {
  const download = useMutation({
    mutationFn: async (name: string) => {
      const call = { params: { id, token: id }, query: { ...query, name } };
      const response = await apiResponse(isShared ? sharedStudyFile : studyFile, call);
      saveFile(await response.blob(), name);
    },
    onError: (error) => toast(TEXTS.fileFailed(errorText(error)), { failed: true }),
  });
  return (
    <details className="border-t border-line px-4 py-4 md:px-6">
      <summary className="cursor-pointer font-medium">{title}</summary>
      <div className="mt-3 flex flex-wrap gap-2">
        {names.map((name) => (
          <Button
            key={name}
            size="sm"
            busy={download.isPending && download.variables === name}
            onClick={() => download.mutate(name)}
          >
            {name}
          </Button>
        ))}
      </div>
    </details>
  );
}
