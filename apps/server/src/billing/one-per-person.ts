/** Runs tasks of one person one after the other, in the order in which they came; those of others beside them. */
export function onePerPerson(): <T>(person: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (person, task) => {
    const mine = (last.get(person) ?? Promise.resolve()).then(task, task);
    last.set(person, mine);
    try {
      return await mine;
    } finally {
      if (last.get(person) === mine) last.delete(person);
    }
  };
}
