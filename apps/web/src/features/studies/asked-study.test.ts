import { expect, it } from "vitest";
import { askedByGuest } from "./asked-study.ts";

it("asks for a guest's answers again when a sample has results, not when its link is another", () => {
  const asked = (view: string | null) =>
    askedByGuest("token", {
      may_export: true,
      samples: [
        {
          ...{ project_id: "p", name: "S1", condition: "tumor", patient: "", batch: "", more: {} },
          view,
        },
      ],
    });
  expect(asked("/visualization/a")).toEqual(asked("/visualization/b"));
  expect(asked("/visualization/a")).not.toEqual(asked(null));
});
