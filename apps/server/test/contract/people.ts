import { givePlan } from "../give-plan.ts";
import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LAST_STEP, OUTPUT_IMAGE, platformById, stepFolder } from "@stipple/contract";
import { PLATFORM_FIXTURES } from "@stipple/pipeline/internal/readers/testing/platform-fixtures";
import { runStepOn } from "@stipple/pipeline/internal/store/testing/run-step-on";
import { writeSimulatedResults } from "@stipple/pipeline/internal/store/testing/simulated-results";
import { step as projectionAnalysis } from "@stipple/pipeline/internal/steps/6-projection-analysis/step";
import { SignJWT } from "jose";
import sharp from "sharp";
import { storeReference } from "../../src/references/references.ts";
import { STATISTICS } from "../../src/outputs/read.ts";
import { addFiles, publishFiles, publishResults } from "../published.ts";
import type { TestServer } from "../server.ts";
import { N_CELLS, type Ids } from "./calls.ts";

/** One person with a project, a view, a share link, and a payment; and another with none of these. */
export interface People {
  owner: string;
  stranger: string;
  ids: Ids;
  /** Tokens that are not sessions, each with a description. */
  noSessions: [string, string | undefined][];
  /** Tokens that do not open any view or download. */
  noLinks: [string, string][];
  /** Tokens that open the owner's view or download. */
  links: { view: string; share: string; study: string; download: string };
}

/** Someone who can afford to lose everything: a session, a project with its inputs, a view, and a share link. */
export interface SparePerson {
  token: string;
  ids: Ids;
}

export async function populate(server: TestServer): Promise<People> {
  const { call } = server;
  await writeTinySample(server);
  const owner = await server.signUp("owner@example.org");
  const stranger = await server.signUp("stranger@example.org");
  const { ids, url, studyUrl } = await belongings(server, owner);
  const download = await lastingDownload(server, owner, ids.project);
  const ownLink = (
    await call("POST", `/start_visualization?project_id=${ids.project}`, { token: owner })
  ).json.url as string;
  const links = {
    ...{ view: lastPart(ownLink), share: lastPart(url) },
    ...{ study: lastPart(studyUrl), download },
  };
  return { owner, stranger, ids, links, ...(await wrongTokens(server, owner, ids, links)) };
}

/** The token of a link to a download. Such a link opens for a minute only; slow machines need more until they ask. */
export async function lastingDownload(
  { call, clock }: TestServer,
  token: string,
  project: string,
): Promise<string> {
  const HOUR_MS = 3_600_000;
  clock.advance(HOUR_MS);
  const made = await call("POST", `/create_download_link?project_id=${project}`, { token });
  clock.advance(-HOUR_MS);
  return lastPart(made.json.url as string);
}

export async function sparePerson(server: TestServer): Promise<SparePerson> {
  const token = await server.signUp(`${randomUUID()}@example.org`);
  return { token, ids: (await belongings(server, token)).ids };
}

/** Gives a person a plan, a project with some last-step output, a view, a share link, and a payment. */
async function belongings(
  server: TestServer,
  token: string,
): Promise<{ ids: Ids; url: string; studyUrl: string }> {
  const { call } = server;
  const { db } = server.context.database;
  const userId = (await call("GET", "/verify-subscription", { token })).json.id as string;
  await givePlan(db, userId, { tier: "professional" });
  const payment = `pi_${userId}`;
  await db
    .insertInto("payments")
    .values({
      id: payment,
      user_id: userId,
      tier: "professional",
      amount_cents: 149_900,
      status: "succeeded",
      paid_at: new Date(),
    })
    .execute();
  const project = (await call("POST", "/create_sample_project", { token })).json
    .project_id as string;
  await publishFiles(server, project, LAST_STEP, {
    [`${stepFolder(LAST_STEP)}/summary.json`]: "{}",
  });
  const passkey = `passkey_${userId}`;
  await db
    .insertInto("passkeys")
    .values({
      id: passkey,
      user_id: userId,
      public_key: Buffer.from([0]),
      counter: 0,
      transports: [],
      name: "A key",
      created_at: new Date(),
    })
    .execute();
  const reference = await keptReference(server, userId);
  const sessions = (await call("GET", "/account/sessions", { token })).json as { id: string }[];
  const session = sessions[0]?.id ?? "";
  const body = { name: "A", state: {} };
  const view = (await call("POST", `/projects/${project}/views`, { token, body })).json;
  const share = (
    await call("POST", `/projects/${project}/shares`, { token, body: { days: 7, note: "" } })
  ).json;
  const version = (
    await call("POST", `/projects/${project}/annotations/versions`, { token, body: { name: "A" } })
  ).json;
  const study = (
    await call("POST", "/studies", { token, body: { name: "A", project_ids: [project] } })
  ).json;
  const studyShare = (
    await call("POST", `/studies/${study.id}/shares`, { token, body: { days: 7, note: "" } })
  ).json;
  const ids = {
    project,
    view: view.id,
    share: share.id,
    payment,
    session,
    passkey,
    reference,
    version: version.id,
    study: study.id,
    studyShare: studyShare.id,
  };
  return { ids, url: share.url, studyUrl: studyShare.url };
}

/** Keeps a stand-in for a condensed reference, which nothing here reads. Returns its id. */
async function keptReference({ context, config }: TestServer, userId: string): Promise<string> {
  const path = join(config.dataDir, `${userId}.h5ad`);
  await writeFile(path, userId);
  const { sha256 } = await storeReference(context.storage, userId, path, {
    format: 1,
    name: "own-cells",
    tissue: "brain",
    species: "mouse",
    labelsColumn: "cell_type",
    labels: ["Astrocyte", "Neuron"],
    cells: 100,
    genes: 50,
    source: "cells.h5ad",
    citation: null,
    license: null,
    sourceSha256: "0".repeat(64),
    condensedAt: new Date(0).toISOString(),
  });
  return sha256;
}

/** Gives the owner's project the results that the interactive view reads. */
export async function publishView(server: TestServer, project: string): Promise<void> {
  const { results, files } = await writeSimulatedResults(join(server.config.dataDir, "made"), {
    cells: N_CELLS,
    spots: 20,
    genes: 40,
  });
  await runStepOn(projectionAnalysis, results, files, {
    params: { figureSidePx: 300, geneFigures: 0, permutations: 19 },
    settings: { analysisType: "advanced" },
  });
  await publishResults(server, project, results);
  await addFiles(server, project, {
    [OUTPUT_IMAGE]: await sharp({
      create: { width: 8, height: 8, channels: 3, background: "white" },
    })
      .png()
      .toBuffer(),
    "analysis_results/output/report.html": "<!doctype html><title>Report</title>",
    [STATISTICS]: JSON.stringify({
      total_spots: 20,
      total_cells: N_CELLS,
      total_genes: 40,
      average_cells_per_spot: 15,
    }),
  });
}

/** A stand-in for the sample dataset, which takes seconds to simulate. Nothing here analyzes it, but its files fit. */
async function writeTinySample({ context }: TestServer): Promise<void> {
  await mkdir(context.sample.folder, { recursive: true });
  const { files } = await PLATFORM_FIXTURES.visium(context.sample.folder);
  // Under the names by which the sample dataset's files are found.
  for (const { id, storedAs, extensions } of platformById("visium").slots) {
    const path = files[id];
    const extension = extensions.find((one) => path?.endsWith(one));
    if (path && extension) await rename(path, join(context.sample.folder, storedAs + extension));
  }
}

function lastPart(url: string): string {
  return url.split("/").at(-1) ?? "";
}

async function wrongTokens(
  server: TestServer,
  owner: string,
  { project }: Ids,
  links: People["links"],
): Promise<Pick<People, "noSessions" | "noLinks">> {
  const { sub, jti } = JSON.parse(
    Buffer.from(owner.split(".")[1] ?? "", "base64url").toString(),
  ) as { sub: string; jti: string };
  const sign = (
    claims: { audience: string; subject?: string; expires?: Date; id?: string },
    key: Uint8Array = server.config.jwtSecret,
  ) =>
    new SignJWT({ email: "owner@example.org", owner: sub })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(claims.subject ?? sub)
      .setAudience(claims.audience)
      .setJti(claims.id ?? jti)
      .setExpirationTime(claims.expires ?? new Date(Date.now() + 3_600_000))
      .sign(key);
  const past = new Date(Date.now() - 60_000);
  const other = new TextEncoder().encode("not the key of this installation, but as long");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${owner.split(".")[1]}.`;
  const revoked = await server.signUp("revoked@example.org");
  await server.call("POST", "/logout", { token: revoked });
  const foreign = { audience: "visualization", subject: project };
  return {
    noSessions: [
      ["none", undefined],
      ["no token at all", "x"],
      ["forged", await sign({ audience: "session" }, other)],
      ["unsigned", unsigned],
      ["expired", await sign({ audience: "session", expires: past })],
      ["of a session that never was", await sign({ audience: "session", id: randomUUID() })],
      ["revoked", revoked],
      ["of a share link", links.share],
      ["of a view", links.view],
      ["of a download", links.download],
    ],
    noLinks: [
      ["no token at all", "x"],
      ["forged", await sign(foreign, other)],
      ["expired", await sign({ ...foreign, expires: past })],
      ["a session's", owner],
      ["of a project that is not", await sign({ ...foreign, subject: randomUUID() })],
      ["of another audience", await sign({ ...foreign, audience: "something else" })],
      [
        "of a share that was never made",
        await sign({ ...foreign, audience: "visualization-share" }),
      ],
      [
        "of a study's view that was never shared",
        await sign({ ...foreign, audience: "visualization-of-study" }),
      ],
      [
        "of a study's share that was never made",
        await sign({ ...foreign, audience: "study-share" }),
      ],
    ],
  };
}
