import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** A mail server that accepts everything; supports only the simplest SMTP dialog. */
export interface TestMailServer extends AsyncDisposable {
  url: string;
  /** Complete messages, including headers, as received. */
  messages: string[];
}

export async function startMailServer(): Promise<TestMailServer> {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    let data: string | null = null;
    let rest = "";
    socket.write("220 test\r\n");
    socket.on("data", (bytes) => {
      rest += bytes.toString();
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (data !== null) {
          if (line === ".") {
            messages.push(data);
            data = null;
            socket.write("250 taken\r\n");
          } else data += `${line}\n`;
        } else if (/^DATA/i.test(line)) {
          data = "";
          socket.write("354 go on\r\n");
        } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else socket.write("250 fine\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
