import { changeStudy, readStudy, type Study } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, ApiError } from "../../app/api.ts";
import { isSame, rebased, sent, type Design } from "./design.ts";
import { STUDIES_KEY, studyKey } from "./use-studies.ts";

interface Edit {
  design: Design;
  from: Study;
}

/** A study's design as it is edited and saved, and what it was stored as before. */
export type EditedDesign = ReturnType<typeof useEditedDesign>;

export function useEditedDesign(id: string, study: Study | undefined) {
  const client = useQueryClient();
  const [edited, setEdited] = useState(() => keptEdit(id));
  useEffect(() => keepEdit(id, edited), [id, edited]);
  const saving = useMutation({
    mutationFn: (next: Design) => save(id, (edited?.from ?? study)?.version, next),
    onSuccess({ isSaved, study: stored }, next) {
      client.setQueryData(studyKey(id), stored);
      if (!isSaved) {
        return setEdited(
          (now) => now && { design: rebased(now.design, now.from, stored), from: stored },
        );
      }
      void client.invalidateQueries({ queryKey: [...studyKey(id), "quality"] });
      void client.invalidateQueries({ queryKey: STUDIES_KEY });
      // What was typed meanwhile stays.
      setEdited((now) => (now && now.design !== next ? { ...now, from: stored } : null));
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

const KEY = "stipple.design.";

/** What this tab has not saved yet: it outlives a reload, a way to another page, and an ended session. */
function keptEdit(id: string): Edit | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY + id) ?? "null") as Edit | null;
  } catch {
    return null;
  }
}

function keepEdit(id: string, edit: Edit | null): void {
  try {
    if (edit) sessionStorage.setItem(KEY + id, JSON.stringify(edit));
    else sessionStorage.removeItem(KEY + id);
  } catch {
    // Blocked or full: the page still has it.
  }
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
