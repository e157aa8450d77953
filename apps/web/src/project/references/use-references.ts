import { listReferences, type ListedReference } from "@stipple/contract/routes/references";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";

export const REFERENCES_KEY = ["references"];

/** The references that may be used, by tissue; empty until they are loaded. */
export function useReferences(): readonly ListedReference[] {
  const { data } = useQuery({
    queryKey: REFERENCES_KEY,
    queryFn: ({ signal }) => api(listReferences, { signal }),
  });
  return data ?? [];
}
