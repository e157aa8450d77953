import pg from "pg";

/** How long a query may take before somebody asks whether the server is still there. */
const CHECK_AFTER_MS = 3_000;
/** How long a server that is there may take to answer. */
const TIMEOUT_MS = 3_000;

/**
 * Tells slow queries from those that a server that has stopped, or a machine that has vanished, will never answer: such
 * a server breaks no connection, so every query on it would wait for hours. A query may take any time as long as the
 * server answers others.
 */
export interface QueryWatchdog {
  /** Breaks the client's connection, and so fails the query, if the server stops answering. */
  watch<T>(client: pg.ClientBase, query: Promise<T>): Promise<T>;
}

export function openQueryWatchdog(
  databaseUrl: string,
  checkAfterMs = CHECK_AFTER_MS,
): QueryWatchdog {
  let looking: Promise<boolean> | undefined;

  /** Whether the server answers. Shared by all who ask at the same time. */
  function answers(): Promise<boolean> {
    looking ??= answersOnce(databaseUrl).finally(() => (looking = undefined));
    return looking;
  }

  return {
    async watch(client, query) {
      let isOver = false;
      let timer: NodeJS.Timeout;
      const look = async (): Promise<void> => {
        if (await answers()) {
          if (!isOver) timer = setTimeout(() => void look(), checkAfterMs);
        } else if (!isOver) breakConnection(client);
      };
      timer = setTimeout(() => void look(), checkAfterMs);
      try {
        return await query;
      } finally {
        isOver = true;
        clearTimeout(timer);
      }
    },
  };
}

async function answersOnce(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (error) {
    // All connections are taken: it answers.
    return (error as { code?: string }).code === "53300";
  } finally {
    // A server that does not answer does not say goodbye either.
    breakConnection(client);
  }
}

/** pg has no other way to end a connection without waiting for the server. */
function breakConnection(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
