// The installation's own key pair, by which push services know who sends (VAPID, RFC 8292).
import { createECDH } from 'node:crypto';
import { perApp } from '@keelson/core';

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Returns the pair of the master key, in base64url: the same in every process, without storing it. */
export const keyPair = perApp(({ vault, config }): KeyPair => {
  const privateKey = vault.derive(`push ${config.tenantSlug}`);
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey);
  return { publicKey: curve.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
});
