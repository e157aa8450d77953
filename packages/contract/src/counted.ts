/** "1,269". */
export function whole(count: number): string {
  return count.toLocaleString("en-US");
}

/** "1 cell", "1,269 cells"; `many` where the plural is more than an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
