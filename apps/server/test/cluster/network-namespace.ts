import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";

const ip = (...words: string[]) => promisify(execFile)("ip", words);

/** Why network namespaces are unavailable here; null if they are available. */
export function noNamespaces(): string | null {
  const name = `stipple-try-${process.pid}`;
  try {
    execFileSync("ip", ["netns", "add", name], { stdio: "ignore" });
    execFileSync("ip", ["netns", "del", name], { stdio: "ignore" });
    execFileSync("unshare", ["--pid", "--fork", "--mount-proc", "true"], { stdio: "ignore" });
    return null;
  } catch {
    return "network namespaces need root, iproute2 and util-linux";
  }
}

/** A single worker's network: it reaches this machine's `hostAddress` and nothing else. */
export interface NetworkNamespace extends AsyncDisposable {
  hostAddress: string;
  /** Words to put before a command to run it in this network, with its own process IDs. */
  prefix: string[];
  /** Takes its network down or brings it back up. */
  set(state: "up" | "down"): Promise<void>;
}

export async function openNamespace(index: number): Promise<NetworkNamespace> {
  const name = `stipple-${process.pid}-${index}`;
  // Device names have at most 15 characters.
  const [near, far] = [
    `st${process.pid % 100_000}n${index}`,
    `st${process.pid % 100_000}f${index}`,
  ];
  const hostAddress = `10.213.${index}.1`;
  await ip("netns", "add", name);
  await ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name);
  await ip("addr", "add", `${hostAddress}/30`, "dev", near);
  await ip("link", "set", near, "up");
  await ip("-n", name, "addr", "add", `10.213.${index}.2/30`, "dev", far);
  await ip("-n", name, "link", "set", far, "up");
  await ip("-n", name, "link", "set", "lo", "up");
  return {
    hostAddress,
    prefix: [
      ...["ip", "netns", "exec", name],
      ...["unshare", "--pid", "--fork", "--kill-child=SIGKILL", "--mount-proc"],
    ],
    async set(state) {
      await ip("link", "set", near, state);
    },
    async [Symbol.asyncDispose]() {
      await ip("link", "del", near).catch(() => undefined);
      await ip("netns", "del", name);
    },
  };
}
