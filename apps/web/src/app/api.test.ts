import { getImage, uploadedChunks } from "@stipple/contract";
import { expect, it } from "vitest";
import { apiErrorOf, apiUrl, errorText, NetworkError } from "./api.ts";

it("fills in parameters, omits absent ones, and encodes a file path by segment", () => {
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

it("shows the server's message, or else the fallback", async () => {
  const refusal = await apiErrorOf(
    Response.json({ error: "Project not found.", code: "project_not_found" }, { status: 404 }),
  );
  expect(refusal).toMatchObject({ status: 404, code: "project_not_found" });
  expect(errorText(refusal, "x")).toBe("Project not found.");
  expect(errorText(await apiErrorOf(new Response("<html>", { status: 502 })), "x")).toBe("x");
  expect(errorText(new NetworkError("cut"), "x")).toBe("x");
});
