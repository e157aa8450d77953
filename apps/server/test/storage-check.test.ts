import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkReport } from "../src/outputs/check-report.ts";
import { checkStored, removeOrphans } from "../src/outputs/check.ts";
import { newObjectKey } from "../src/outputs/objects.ts";
import { storageCheck } from "../src/backup/storage-check.ts";
import { publishFiles } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signUp();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const PLAIN = { remove: false, deep: false, repair: false };
const check = (graceMs = 0) =>
  checkStored(server.context.database.db, server.context.storage, { graceMs });

describe("the storage check", () => {
  it("finds nothing if every object is referenced and complete", async () => {
    const project = await server.newProject(token);
    await publishFiles(server, project, 3, { "step3_output/a.txt": "a" });
    const found = await check();
    expect(found).toMatchObject({ orphans: [], unfinished: [], missing: [], damaged: [] });
    expect(found.objects).toBeGreaterThan(0);
    const lines: string[] = [];
    expect(await storageCheck(server.environment, PLAIN, (line) => lines.push(line))).toBe(true);
    expect(lines.join("\n")).toContain("All is well");
  });

  it("names orphans and abandoned uploads once they are old enough, and removes them", async () => {
    const { storage } = server.context;
    const key = newObjectKey();
    await storage.put(key, "nobody's");
    const begun = newObjectKey();
    await storage.beginParts(begun);
    expect(await check(3_600_000)).toMatchObject({ orphans: [], unfinished: [] });
    const found = await check(-1);
    expect(found.orphans).toEqual([{ key, size: 8 }]);
    expect(found.unfinished.map((parts) => parts.key)).toEqual([begun]);
    const nothing = { isRemoved: false, isDeep: false, repaired: null };
    expect(checkReport(found, nothing).join("\n")).toContain("--remove");
    await removeOrphans(storage, found);
    expect(await check(-1)).toMatchObject({ orphans: [], unfinished: [] });
    expect(await storage.stat(key)).toBeNull();
  });

  it("names objects that are missing or incomplete in the storage, and their owner", async () => {
    const { storage } = server.context;
    const project = await server.newProject(token);
    await publishFiles(server, project, 3, { "step3_output/lost.txt": "is going to be lost" });
    await publishFiles(server, project, 4, { "step4_output/short.txt": "is going to be cut" });
    const [lost, short] = await Promise.all(
      ["step3_output/lost.txt", "step4_output/short.txt"].map((path) =>
        server.context.outputs.find(project, path),
      ),
    );
    await storage.remove([lost!.storageKey]);
    await storage.put(short!.storageKey, "is");
    const found = await check();
    expect(found.missing).toMatchObject([
      { key: lost!.storageKey, size: 19, holders: [`project ${project}: step3_output/lost.txt`] },
    ]);
    expect(found.damaged).toMatchObject([
      { key: short!.storageKey, size: 18, why: "it has 2 bytes instead of 18" },
    ]);
    const lines: string[] = [];
    expect(await storageCheck(server.environment, PLAIN, (line) => lines.push(line))).toBe(false);
    expect(lines.join("\n")).toContain("step3_output/lost.txt");
    await server.call("DELETE", `/projects/${project}`, { token });
  });
});
