import { expect, it } from "vitest";
import { loadCells, loadTissueCells } from "./cells.ts";
import type { ViewSource } from "./source.ts";

it("leaves no failure behind when the page leaves while cells load", async () => {
  const columns = { "cells.domain": {}, "cells.evidence": {}, "cells.image_quality": {} };
  const gone = {
    manifest: { columns, imageQuality: {}, tissue: { scale: 1 } },
    column: () => Promise.reject(new DOMException("signal is aborted", "AbortError")),
  } as unknown as ViewSource;
  // A rejection that nobody awaits would fail the test run.
  await expect(loadCells(gone)).rejects.toThrow("aborted");
  await expect(loadTissueCells(gone)).rejects.toThrow("aborted");
});
