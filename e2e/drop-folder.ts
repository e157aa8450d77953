import { expect } from "vitest";
import type { Person } from "./person.ts";

/** Drops a local Space Ranger folder in the middle of the drop zone, as a user would. */
export async function dropFolder({ context, page }: Person, path: string): Promise<void> {
  const zone = page.getByRole("heading", { name: /^Drop the Space Ranger folder/ });
  const box = (await zone.boundingBox())!;
  const session = await context.newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  }
  await expect.poll(() => page.getByText("Uploaded", { exact: true }).count()).toBe(9);
}
