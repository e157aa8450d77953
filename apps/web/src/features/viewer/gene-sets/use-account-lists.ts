import {
  keepGeneList,
  listGeneLists,
  removeGeneList,
  type KeptGeneList,
} from "@stipple/contract/routes/gene-lists";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, errorText } from "../../../app/api.ts";
import { toast } from "../../../components/toast-store.ts";
import { useOwnership } from "../sharing/use-ownership.ts";
import { geneSetTexts as texts } from "./texts.ts";

const KEY = ["gene-lists"];

export type AccountLists = NonNullable<ReturnType<typeof useAccountLists>>;

/** The gene lists in the account of the project's owner; null for others, and until they are known. */
export function useAccountLists() {
  const { role } = useOwnership();
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    enabled: role === "owner",
    queryFn: ({ signal }) => api(listGeneLists, { signal }),
  });
  async function change(call: Promise<{ message: string }>): Promise<void> {
    try {
      const { message } = await call;
      toast(message, { ok: true });
    } catch (error) {
      toast(errorText(error, texts.account.failed), { failed: true });
    }
    await client.invalidateQueries({ queryKey: KEY });
  }
  if (!data) return null;
  return {
    lists: data,
    keep: ({ name, genes }: KeptGeneList) => change(api(keepGeneList, { body: { name, genes } })),
    remove: (name: string) => change(api(removeGeneList, { query: { name } })),
  };
}
