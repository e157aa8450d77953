import { useEffect, useState, type Dispatch, type SetStateAction } from "react";
import { getSession, useSession } from "../../app/session.ts";

/** By name, what was filled in where a session ended by itself; the next login leads back there. */
const held = new Map<string, { userId: string; value: unknown }>();

/** State that the same user finds again after such a login, under a name of its own. */
export function useStateThroughLogin<T>(
  name: string,
  initial: T,
): [T, Dispatch<SetStateAction<T>>] {
  const { id } = useSession().user;
  const [value, setValue] = useState<T>(() => {
    const before = held.get(name);
    return before?.userId === id ? (before.value as T) : initial;
  });
  useEffect(() => {
    // Nobody is signed in for the moment before the page is left.
    if (id === "") return;
    held.delete(name);
    return () => {
      if (getSession().state === "out") held.set(name, { userId: id, value });
    };
  }, [name, id, value]);
  return [value, setValue];
}
