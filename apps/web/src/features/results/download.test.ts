import { expect, it } from "vitest";
import { dispositionName, progressText } from "./download.ts";

it("reads the file name of a download", () => {
  expect(dispositionName('attachment; filename="Brain_analysis_results.zip"')).toBe(
    "Brain_analysis_results.zip",
  );
  expect(
    dispositionName("attachment; filename=\"a.zip\"; filename*=UTF-8''Hirn%20%C3%BC.zip"),
  ).toBe("Hirn ü.zip");
  expect(dispositionName('attachment; filename="../../etc/x.zip"')).toBe("x.zip");
  expect(dispositionName("attachment; filename=\"a.zip\"; filename*=UTF-8''%E0%A4%A")).toBe(
    "a.zip",
  );
  expect(dispositionName(null)).toBe("analysis_results.zip");
});

it("reports download progress", () => {
  const mb = 1024 ** 2;
  expect(progressText(10.5 * mb, 25 * mb)).toBe("Downloading: 42% (10.5 MB / 25.0 MB)");
  expect(progressText(3 * mb, null)).toBe("Downloading: 3.0 MB");
});
