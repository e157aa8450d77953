import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps secrets in the database so that they are useless to readers without the operator's secret: AES-256-GCM and
 * HMAC-SHA-256 under keys derived from it.
 */
export function openSecretBox(operatorSecret: Uint8Array) {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", operatorSecret, "", `stipple ${purpose}`, 32));
  const sealing = derive("sealed secrets");
  const digesting = derive("digested secrets");
  return {
    /** The sealed secret is bound to `owner`: it does not open if moved to another row. */
    seal(secret: Uint8Array, owner: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed: Buffer, owner: string): Buffer {
      const decipher = createDecipheriv("aes-256-gcm", sealing, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]);
    },
    /** A keyed digest, for secrets that are only compared and too long to guess. */
    digest: (secret: string, owner: string): string =>
      createHmac("sha256", digesting).update(`${owner}\n${secret}`).digest("hex"),
  };
}
