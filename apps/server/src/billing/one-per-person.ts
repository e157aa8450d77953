/** Runs one user's tasks one after the other, in order of arrival; different users' tasks run in parallel. */
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
