import { changeStudy, readStudy, type Study } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, ApiError } from "../../app/api.ts";
import { keepJson, keptJson } from "../../app/kept-json.ts";
import { isSame, rebased, sent, type Design } from "./design.ts";
import { STUDIES_KEY, studyKey } from "./use-studies.ts";

/** What this tab has not saved yet outlives a reload, a way to another page, and an ended session. */
const KEY = "stipple.design.";
const TAB = () => sessionStorage;

interface Edit {
  design: Design;
  from: Study;
}

/** A study's design as it is edited and saved, and what it was stored as before. */
export type EditedDesign = ReturnType<typeof useEditedDesign>;

export function useEditedDesign(id: string, study: Study | undefined) {
  const client = useQueryClient();
  const [edited, setEdited] = useState(() => keptJson(TAB, KEY + id) as Edit | null);
  useEffect(() => keepJson(TAB, KEY + id, edited), [id, edited]);
  const saving = useMutation({
    mutationFn: (next: Design) => save(id, (edited?.from ?? study)?.version, next),
    onSuccess({ isSaved, study: stored }, next) {
      client.setQueryData(studyKey(id), stored);
      const after = (now: Edit | null): Edit | null => {
        if (!isSaved) return now && { design: rebased(now.design, now.from, stored), from: stored };
        // What was typed meanwhile stays.
        return now && now.design !== next ? { ...now, from: stored } : null;
      };
      setEdited(after);
      // The page may have been left, and then has no state to set.
      keepJson(TAB, KEY + id, after(keptJson(TAB, KEY + id) as Edit | null));
      if (!isSaved) return;
      void client.invalidateQueries({ queryKey: [...studyKey(id), "quality"] });
      void client.invalidateQueries({ queryKey: STUDIES_KEY });
    },
  });
  return {
    design: edited?.design ?? study,
    isSaved: !edited || !study || isSame(edited.design, study),
    saving,
    edit(design: Design): void {
      if (study) setEdited((now) => ({ design, from: now?.from ?? study }));
    },
    /** Edits outlive a reload, so this is the only way back to what is stored. */
    discard: (): void => setEdited(null),
  };
}

/** Saves a design; one that is based on an earlier version is not saved, and the newest is read. */
async function save(
  id: string,
  version: string | undefined,
  design: Design,
): Promise<{ isSaved: boolean; study: Study }> {
  const params = { id };
  try {
    const study = await api(changeStudy, { params, body: { version, ...sent(design) } });
    return { isSaved: true, study };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "study_changed") throw error;
    return { isSaved: false, study: await api(readStudy, { params }) };
  }
}
