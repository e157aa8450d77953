import { expect, it } from "vitest";
import { attachment } from "./attachment.ts";

const WHOLE = "analysis_results.zip";

it("gives a download an ASCII name plus the full name, neither with spaces", () => {
  expect(attachment("Mouse brain 1", WHOLE)).toBe(
    "attachment; filename=\"Mouse_brain_1_analysis_results.zip\"; filename*=UTF-8''Mouse_brain_1_analysis_results.zip",
  );
  expect(attachment("Gehörn (2)", "report.html")).toContain(
    "filename*=UTF-8''Geh%C3%B6rn_%282%29_report.html",
  );
});

it.each([
  [
    'a"; filename="evil.exe',
    /^attachment; filename="a_filename_evil\.exe_analysis_results\.zip"; /,
  ],
  ["a\r\nSet-Cookie: x=1", /^attachment; filename="a_Set-Cookie_x_1_analysis_results\.zip"; /],
  ["../../etc/passwd", /^attachment; filename="etc_passwd_analysis_results\.zip"; /],
  ["\ud800", /^attachment; filename="analysis_results\.zip"; /],
])("confines a name to its place in the header: %j", (name, plain) => {
  const header = attachment(name, WHOLE);
  expect(header).toMatch(plain);
  expect(header.split(";")).toHaveLength(3);
  expect(header).not.toMatch(/[\r\n/\\]|[^ -~]/);
});
