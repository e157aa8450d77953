/** Runs the tasks of a key (a person) one after the other, in order of arrival; those of different keys run in parallel. */
export function serializeByKey<Key>(): <T>(key: Key, task: () => Promise<T>) => Promise<T> {
  const last = new Map<Key, Promise<unknown>>();
  return async (key, task) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(task, task);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
