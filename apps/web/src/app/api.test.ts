import { getImage, uploadedChunks, workflowQueueStatus } from "@stipple/contract";
import { afterEach, expect, it, vi } from "vitest";
import { api, apiErrorOf, apiUrl, errorText, NetworkError } from "./api.ts";

afterEach(() => vi.unstubAllGlobals());

it("fills in parameters, leaves out what is absent, and encodes a file path by segments", () => {
  expect(
    apiUrl(uploadedChunks, {
      params: { group: "he image" },
      query: { project_id: "p&1", type: undefined },
    }),
  ).toBe("/api/upload/he%20image/chunks?project_id=p%261");
  expect(
    apiUrl(getImage, { params: { "*": "figures/a $&#b.png" }, query: { project_id: "p" } }),
  ).toBe("/api/get_image/figures/a%20%24%26%23b.png?project_id=p");
});

it("shows the server's sentence, else the fallback", async () => {
  const refusal = await apiErrorOf(
    Response.json({ error: "Project not found.", code: "project_not_found" }, { status: 404 }),
  );
  expect(refusal).toMatchObject({ status: 404, code: "project_not_found" });
  expect(errorText(refusal, "x")).toBe("Project not found.");
  expect(errorText(await apiErrorOf(new Response("<html>", { status: 502 })), "x")).toBe("x");
  expect(errorText(new NetworkError("cut"), "x")).toBe("x");
});

it("keeps an answer that has a tag for as long as the server says that it holds, and for one person only", async () => {
  let token = "first";
  let state = { tag: '"a"', body: { has_workflow: false } };
  const asked: (string | undefined)[] = [];
  vi.stubGlobal("localStorage", { getItem: () => token });
  vi.stubGlobal("fetch", (_: string, { headers }: { headers: Record<string, string> }) => {
    const known = headers["If-None-Match"];
    asked.push(known);
    const etag = { etag: state.tag };
    return Promise.resolve(
      known === state.tag
        ? new Response(null, { status: 304, headers: etag })
        : Response.json(state.body, { headers: etag }),
    );
  });
  const first = await api(workflowQueueStatus);
  expect(await api(workflowQueueStatus)).toBe(first);
  state = { tag: '"b"', body: { has_workflow: true } };
  expect(await api(workflowQueueStatus)).toEqual({ has_workflow: true });
  token = "second";
  await api(workflowQueueStatus);
  expect(asked).toEqual([undefined, '"a"', '"a"', undefined]);
});
