import { readConfig } from "./config.ts";
import { assertReachable, placeOf } from "./db/check-database.ts";
import { migrate } from "./db/migrate.ts";
import { startOrRefuse } from "./start.ts";

/** Brings the database to this version's schema and ends. */
await startOrRefuse(async () => {
  const { databaseUrl } = readConfig();
  await assertReachable(databaseUrl);
  await migrate(databaseUrl);
  console.log(`The database ${placeOf(databaseUrl)} has this version's schema.`);
});
