import {
  changeStudy,
  createStudy,
  deleteStudy,
  listStudies,
  readStudy,
  renameStudy,
} from "@stipple/contract";
import type { Mount } from "../http/route-adapter.ts";
import type { Studies } from "./studies.ts";

export function studyRoutes(mount: Mount, { studies }: { studies: Studies }): void {
  mount(listStudies, async ({ session }) => ({
    status: 200,
    body: await studies.list(session.userId),
  }));

  mount(createStudy, async ({ session, body }) => ({
    status: 201,
    body: { id: await studies.create(session.userId, body.name, body.project_ids) },
  }));

  mount(readStudy, async ({ session, params }) => ({
    status: 200,
    body: await studies.read(await studies.owned(session.userId, params.id)),
  }));

  mount(changeStudy, async ({ session, params, body }) => {
    const study = await studies.owned(session.userId, params.id);
    await studies.change(study, body);
    return { status: 200, body: await studies.read(study) };
  });

  mount(renameStudy, async ({ session, params, body }) => {
    await studies.rename(await studies.owned(session.userId, params.id), body.name);
    return { status: 200, body: { message: "Study renamed." } };
  });

  mount(deleteStudy, async ({ session, params }) => {
    await studies.remove(await studies.owned(session.userId, params.id));
    return { status: 200, body: { message: "Study deleted." } };
  });
}
