import { splitProject, type PiecesAnswer } from "@stipple/contract/routes/pieces";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { useSession } from "../../app/session.ts";
import { usageOf } from "../../app/subscription/usage.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { pieceTexts as TEXTS } from "./texts.ts";

/** Makes a project of each piece, after saying what that is and what it uses. */
export function SplitButton({ projectId, found }: { projectId: string; found: PiecesAnswer }) {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const split = useMutation({
    mutationFn: () => api(splitProject, { params: { id: projectId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["projects"] }),
  });
  const made = split.data;
  const close = () => {
    setOpen(false);
    split.reset();
  };
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {TEXTS.split}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={TEXTS.title(found.pieces.length)}
        description={made ? made.message : TEXTS.about}
        actions={
          made ? (
            <ButtonLink to="/projects" variant="primary">
              {TEXTS.open}
            </ButtonLink>
          ) : (
            <>
              <Button onClick={close}>{TEXTS.cancel}</Button>
              <Button variant="primary" busy={split.isPending} onClick={() => split.mutate()}>
                {TEXTS.confirm}
              </Button>
            </>
          )
        }
      >
        {made ? (
          <ul className="flex flex-col gap-1">
            {made.projects.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        ) : (
          <Order found={found} />
        )}
        {split.error && (
          <StatusMessage failed className="mt-3" text={errorText(split.error, TEXTS.failed)} />
        )}
      </Dialog>
    </>
  );
}

/** The pieces, and how many analyses they use. */
function Order({ found: { pieces, noun } }: { found: PiecesAnswer }) {
  const { user, verified } = useSession();
  return (
    <>
      <ul className="flex max-h-48 flex-col gap-1 overflow-y-auto">
        {pieces.map(({ name, n_spots: spots }) => (
          <li key={name} className="flex justify-between gap-4">
            <span>{name}</span>
            <span className="text-ink-2">{TEXTS.spots(spots, noun)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3">
        {TEXTS.counts(pieces.length)} {verified && TEXTS.left(usageOf(user).remaining)}
      </p>
    </>
  );
}
