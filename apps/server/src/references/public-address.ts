import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** A name led to an address that only this machine or its network can reach. */
export class InsideError extends Error {
  override readonly name = "InsideError";
  readonly address: string;
  constructor(address: string) {
    super(`${address} is not a public address`);
    this.address = address;
  }
}

/** Whether an address is one of the public internet: not private, loopback, link-local, or reserved. */
export function isPublic(address: string): boolean {
  // An IPv4 address in IPv6 form is judged as IPv4.
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/**
 * Resolves names for a connection and refuses those with an address inside, so that the address that is checked is the
 * one that is connected to.
 */
export function lookupPublic(allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, "", 0);
      const inside = found.find(({ address }) => !allows(address));
      if (inside) return done(new InsideError(inside.address), "", 0);
      if (options.all) done(null, found);
      else done(null, found[0].address, found[0].family);
    });
  };
}

/** Throws for a host that is an address itself, which is never looked up. */
export function assertPublicHost(hostname: string, allows: (address: string) => boolean): void {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0 && !allows(address)) throw new InsideError(address);
}
