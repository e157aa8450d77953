import { SessionsCard } from "./sessions-card.tsx";
import { TwoStepCard } from "./two-step-card.tsx";
import { accountActivity, type ActivityEntry } from "@stipple/contract/routes/activity";
import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Table, type Column } from "../../../components/table.tsx";
import { ACTIVITY_TEXTS as TEXTS } from "./texts.ts";
import { activitySentence } from "./activity-words.ts";
import { Loading } from "../../../components/load-failure.tsx";
import { momentText } from "../../../app/long-date.ts";

const COLUMNS: readonly Column<ActivityEntry>[] = [
  {
    header: TEXTS.what,
    cell: ({ what, by, about }) => activitySentence(what, by, about),
  },
  {
    header: TEXTS.date,
    cell: ({ at }) => <span className="whitespace-nowrap">{momentText(at)}</span>,
  },
  {
    header: TEXTS.from,
    cell: ({ address, device }) => [device, address].filter(Boolean).join(", ") || "–",
  },
];

/** How and where the account is signed in, and its recent activity. Loaded after the rest of the profile. */
export function SignInSecurity() {
  return (
    <div className="flex flex-col gap-6">
      <TwoStepCard />
      <SessionsCard />
      <ActivityCard />
    </div>
  );
}

/** The audit log of the account, newest first. */
function ActivityCard() {
  const activity = useInfiniteQuery({
    queryKey: ["account", "activity"],
    initialPageParam: "",
    queryFn: ({ signal, pageParam }) =>
      api(accountActivity, { query: pageParam ? { before: pageParam } : {}, signal }),
    getNextPageParam: ({ next }) => next,
  });
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = activity;
  const rows = data?.pages.flatMap(({ entries }) => entries);
  const keptDays = data?.pages[0]?.kept_days;
  return (
    <Card
      title={TEXTS.title}
      description={keptDays === undefined ? undefined : TEXTS.description(keptDays)}
      flush
    >
      {rows && (
        <Table caption={TEXTS.title} columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
      )}
      {hasNextPage && (
        <div className="flex justify-center border-t border-line p-4">
          <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {TEXTS.more}
          </Button>
        </div>
      )}
      {!rows && <Loading flush query={activity} texts={TEXTS} height="h-24" />}
    </Card>
  );
}
