import { request } from "node:http";

/** A login request of which only the first half has been sent. */
export function halfSent(url: string, login: { email: string; password: string }) {
  const body = JSON.stringify(login);
  const asked = request(`${url}/api/login`, {
    method: "POST",
    agent: false,
    headers: {
      "content-type": "application/json",
      "content-length": body.length,
      // The server says when it has read the headers: a connection alone is not yet a request to it.
      expect: "100-continue",
    },
  });
  let isReceived = false;
  asked.once("continue", () => (isReceived = true));
  asked.write(body.slice(0, 10));
  return {
    isReceived: () => isReceived,
    sendRest: () => asked.end(body.slice(10)),
    answer: new Promise<number | "cut off" | undefined>((resolve) => {
      asked.once("response", (answer) => resolve(answer.resume().statusCode));
      asked.once("error", () => resolve("cut off"));
    }),
  };
}
