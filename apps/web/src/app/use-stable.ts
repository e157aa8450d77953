import { useShallow } from "zustand/shallow";

/** The object or array of the render before if its parts are the same. */
export function useStable<Parts extends object>(parts: Parts): Parts {
  return useShallow((given: Parts) => given)(parts);
}
