import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Keeps secrets in the database so that they are useless to readers without the operator's secret. */
export interface SecretBox {
  /** The sealed secret is bound to `owner`: it does not open if moved to another row. */
  seal(secret: Uint8Array, owner: string): Buffer;
  open(sealed: Buffer, owner: string): Buffer;
  /** A keyed digest, for secrets that are only compared and too long to guess. */
  digest(secret: string, owner: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM and HMAC-SHA-256 under keys derived from the operator's secret. */
export function openSecretBox(operatorSecret: Uint8Array): SecretBox {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", operatorSecret, "", `stipple ${purpose}`, 32));
  const sealing = derive("sealed secrets");
  const digesting = derive("digested secrets");
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, owner) {
      const decipher = createDecipheriv("aes-256-gcm", sealing, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]);
    },
    digest: (secret, owner) =>
      createHmac("sha256", digesting).update(`${owner}\n${secret}`).digest("hex"),
  };
}
