import { request } from "node:http";

/** A login request of which only the first half has been sent. */
export function halfSent(url: string, login: { email: string; password: string }) {
  const body = JSON.stringify(login);
  const asked = request(`${url}/api/login`, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json", "content-length": body.length },
  });
  let isConnected = false;
  asked.once("socket", (socket) => socket.once("connect", () => (isConnected = true)));
  asked.write(body.slice(0, 10));
  return {
    isConnected: () => isConnected,
    sendRest: () => asked.end(body.slice(10)),
    answer: new Promise<number | "cut off" | undefined>((resolve) => {
      asked.once("response", (answer) => resolve(answer.resume().statusCode));
      asked.once("error", () => resolve("cut off"));
    }),
  };
}
