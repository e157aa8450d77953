import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "./api.ts";
import { onOtherTabs } from "./polling/other-tabs.ts";
import { getSession, subscribeSession } from "./session.ts";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal is a response; only network and server failures are retried.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
    // Without a connection an action fails at once and says so, instead of waiting to be done later.
    mutations: { networkMode: "always" },
  },
});

// Data fetched in one user's session must never be shown to the next user.
let owner = getSession().user.id;
subscribeSession(() => {
  const { id } = getSession().user;
  if (id !== owner) client.clear();
  owner = id;
});

// What another tab requested is not requested again here.
onOtherTabs((key, answer) => {
  if (!key.startsWith("[")) return;
  const queryKey = JSON.parse(key) as string[];
  if (client.getQueryState(queryKey)) client.setQueryData(queryKey, answer);
});

/** Gives its pages TanStack Query; kept out of the public pages' bundle. */
export function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
