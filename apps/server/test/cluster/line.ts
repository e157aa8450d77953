import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A TCP line between a worker and a server of the cluster that can be cut silently. */
export interface Line extends AsyncDisposable {
  port: number;
  /** From now on nothing arrives and nothing closes, as if a cable were unplugged. */
  cut(): void;
  /** From now on connections break, as if the server had ended. */
  refuse(): void;
  /** Data in flight is delivered. */
  mend(): void;
}

export async function openLine(
  target: { host: string; port: number },
  host = "127.0.0.1",
): Promise<Line> {
  let isCut = false;
  let isRefused = false;
  const ends = new Set<Socket>();
  /** Sockets whose peer closed while the line was cut; they are told once it is mended. */
  const widowed = new Set<Socket>();

  function carry(from: Socket, to: Socket): void {
    ends.add(from);
    if (isCut) from.pause();
    from.on("data", (bytes) => {
      if (!to.write(bytes)) from.pause();
    });
    to.on("drain", () => {
      if (!isCut) from.resume();
    });
    from.on("end", () => to.end());
    from.on("error", () => undefined);
    from.on("close", () => {
      ends.delete(from);
      if (isCut) widowed.add(to);
      else to.destroy();
    });
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    if (isRefused) return void near.resetAndDestroy();
    const far = connect({ ...target, allowHalfOpen: true, noDelay: true });
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const end of ends) end.pause();
    },
    refuse() {
      isRefused = true;
      for (const end of ends) end.destroy();
    },
    mend() {
      isCut = false;
      isRefused = false;
      for (const end of widowed) end.destroy();
      widowed.clear();
      for (const end of ends) end.resume();
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const end of [...ends, ...widowed]) end.destroy();
      await closed;
    },
  };
}
