import { expect, it, vi } from "vitest";
import { lowerPriority } from "./lower-priority.ts";

const setPriority = vi.hoisted(() => vi.fn());
vi.mock("node:os", async (original) => ({ ...(await original<object>()), setPriority }));

it("goes on where the system forbids it, as the unit of the API does", () => {
  setPriority.mockImplementationOnce(() => {
    throw new Error("uv_os_setpriority returned EPERM");
  });
  expect(lowerPriority).not.toThrow();
  expect(setPriority).toHaveBeenCalledOnce();
});
