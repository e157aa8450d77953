import { defineTask } from "../task.ts";

export interface Numbers {
  own: Float32Array;
  shared: Float32Array;
}

export function add(_shared: object, { own, shared }: Numbers): number {
  return [...own, ...shared].reduce((a, b) => a + b, 0);
}

export const sum = defineTask(import.meta.url, add);
