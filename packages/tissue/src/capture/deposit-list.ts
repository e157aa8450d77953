import type { Deposits } from "./capture-array.ts";

/** Collects deposits in typed arrays that double in size when full. */
export class DepositList {
  #bin = new Uint32Array(1 << 16);
  #cell = new Uint32Array(1 << 16);
  #amount = new Float32Array(1 << 16);
  #length = 0;

  push(bin: number, cell: number, amount: number): void {
    if (this.#length === this.#bin.length) {
      const size = 2 * this.#length;
      this.#bin = copyInto(new Uint32Array(size), this.#bin);
      this.#cell = copyInto(new Uint32Array(size), this.#cell);
      this.#amount = copyInto(new Float32Array(size), this.#amount);
    }
    this.#bin[this.#length] = bin;
    this.#cell[this.#length] = cell;
    this.#amount[this.#length++] = amount;
  }

  finish(): Deposits {
    return {
      bin: this.#bin.subarray(0, this.#length),
      cell: this.#cell.subarray(0, this.#length),
      amount: this.#amount.subarray(0, this.#length),
    };
  }
}

function copyInto<T extends Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>>(
  target: T,
  values: T,
): T {
  target.set(values);
  return target;
}
