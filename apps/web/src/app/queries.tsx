import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "./api.ts";
import { hearOtherTabs } from "./polling/other-tabs.ts";
import { getSession, subscribeSession } from "./session.ts";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal is an answer; only what never arrived or broke on the server is asked again.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
});

// What one person's session fetched must never be shown to the next.
let owner = getSession().user.id;
subscribeSession(() => {
  const { id } = getSession().user;
  if (id !== owner) client.clear();
  owner = id;
});

// What another tab asked for is not asked again here.
hearOtherTabs((key, answer) => {
  if (!key.startsWith("[")) return;
  const queryKey = JSON.parse(key) as string[];
  if (client.getQueryState(queryKey)) client.setQueryData(queryKey, answer);
});

/** Gives its pages TanStack Query; kept out of the public pages' bundle. */
export function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
