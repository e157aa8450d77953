import { expect, it } from "vitest";
import { markupText } from "./markup.ts";

it("escapes what would be markup, and keeps all other text", () => {
  expect(markupText(`a<b> & "c" 'd' é 日 🧬\t\n`)).toBe(
    "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; é 日 🧬\t\n",
  );
});

it("replaces every character that XML cannot contain", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const text = markupText(String.fromCharCode(code));
    const isLegal =
      [9, 10, 13].includes(code) ||
      (code >= 0x20 && code <= 0xd7ff) ||
      (code >= 0xe000 && code <= 0xfffd);
    expect([code, text === "\ufffd"]).toEqual([code, !isLegal || code === 0xfffd]);
  }
});
