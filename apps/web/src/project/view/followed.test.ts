import { expect, it } from "vitest";
import { ApiError, NetworkError } from "../../app/api.ts";
import { followed } from "./view-server.ts";

const TABLE = { cells_a: 3, cells_b: 4, genes: ["Ünlü", "B"] };
const never = new AbortController().signal;

/** A response that arrives in chunks of `size` bytes. */
function answer(text: string, size: number): Response {
  const bytes = new TextEncoder().encode(text);
  return new Response(
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.subarray(at, at + size));
        controller.close();
      },
    }),
  );
}
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

it.each([1, 7, 1000])(
  "reports progress and returns the table, in chunks of %i bytes",
  async (size) => {
    const heard: number[] = [];
    const text = lines({ done: 0 }, { done: 0.5 }, { table: TABLE });
    const table = await followed(answer(text, size), "table", (done) => heard.push(done), never);
    expect([heard, table]).toEqual([[0, 0.5], TABLE]);
  },
);

it("throws the server's error, and throws when the response is cut off", async () => {
  const problem = { type: "x", title: "x", status: 500, code: "internal", error: "It broke." };
  const nothing = () => undefined;
  const failed = followed(answer(lines({ done: 0 }, { problem }), 9), "table", nothing, never);
  await expect(failed).rejects.toMatchObject({ status: 500, code: "internal", error: "It broke." });
  await expect(failed).rejects.toBeInstanceOf(ApiError);
  const cut = followed(answer(lines({ done: 0 }) + '{"table', 9), "table", nothing, never);
  await expect(cut).rejects.toBeInstanceOf(NetworkError);
});
