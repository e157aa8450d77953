import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionEntry,
} from "@stipple/contract/routes/security";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, errorText } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { StatusPill } from "../../../components/status-pill.tsx";
import { Table, type Column } from "../../../components/table.tsx";
import { toast } from "../../../components/toast-store.ts";
import { SESSION_LIST_TEXTS as TEXTS } from "./texts.ts";
import { Loading } from "../../../components/load-failure.tsx";
import { momentText } from "../../../app/long-date.ts";

const KEY = ["account", "sessions"];

/** Where the person is signed in; each session but this one can be ended. */
export function SessionsCard() {
  const queries = useQueryClient();
  const sessions = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api(listSessions, { signal }),
  });
  const { data } = sessions;
  const end = useMutation({
    /** "others" for all but this one. */
    mutationFn: (id: string) =>
      id === "others" ? api(endOtherSessions) : api(endSession, { params: { id } }),
    onSuccess: ({ message }) => toast(message, { ok: true }),
    onError: (failure) => toast(errorText(failure, TEXTS.failed), { failed: true }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["account"] }),
  });
  const ending = end.isPending ? end.variables : null;

  const columns: Column<SessionEntry>[] = [
    {
      header: TEXTS.device,
      cell: (row) => <span className="font-medium">{row.device ?? TEXTS.unknown}</span>,
    },
    { header: TEXTS.address, cell: (row) => row.address ?? TEXTS.unknown },
    { header: TEXTS.signedIn, cell: (row) => momentText(row.created_at) },
    { header: TEXTS.lastSeen, cell: (row) => momentText(row.last_seen_at) },
    {
      header: "",
      align: "right",
      cell: (row) =>
        row.current ? (
          <StatusPill tone="ok">{TEXTS.thisOne}</StatusPill>
        ) : (
          <Button size="sm" busy={ending === row.id} onClick={() => end.mutate(row.id)}>
            {TEXTS.end}
          </Button>
        ),
    },
  ];

  return (
    <Card
      title={TEXTS.title}
      flush
      actions={
        data &&
        data.length > 1 && (
          <Button size="sm" busy={ending === "others"} onClick={() => end.mutate("others")}>
            {TEXTS.endOthers}
          </Button>
        )
      }
    >
      {data && (
        <Table caption={TEXTS.title} columns={columns} rows={data} rowKey={({ id }) => id} />
      )}
      {!data && <Loading flush query={sessions} texts={TEXTS} height="h-24" />}
    </Card>
  );
}
