import type { Server, ServerResponse } from "node:http";

declare module "fastify" {
  interface FastifyInstance {
    underWay: RequestsUnderWay;
  }
}

/** The requests of a server that have not been answered to their last byte. */
export class RequestsUnderWay {
  readonly #open = new Set<ServerResponse>();
  readonly #waiting: (() => void)[] = [];

  constructor(server: Server) {
    server.on("request", (_request, response: ServerResponse) => {
      this.#open.add(response);
      // Also when the client has gone.
      response.once("close", () => {
        this.#open.delete(response);
        if (this.#open.size === 0) for (const tell of this.#waiting.splice(0)) tell();
      });
    });
  }

  /** Resolves as soon as there is none. */
  async none(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
