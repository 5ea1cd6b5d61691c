// Secrets of mailboxes, each sealed for one mailbox and one purpose.
import { createHash } from 'node:crypto';
import type { Context } from '@keelson/core';
import type { Mailbox } from '../entities.ts';

const uses = { password: 'password', smtp_password: 'smtp password', client_secret: 'client secret' } as const;
type Secret = keyof typeof uses;

const sealedFor = (mailbox_id: number, secret: Secret): string => `mailbox ${mailbox_id} ${uses[secret]}`;

/** Seals a secret of a mailbox. */
export const sealSecret = (
  { app }: Context,
  { mailbox_id }: Pick<Mailbox, 'mailbox_id'>,
  [secret, text]: readonly [secret: Secret, text: string],
): string => app.vault.seal(text, sealedFor(mailbox_id, secret));

/** Returns a secret of a mailbox; empty if it has none. */
export function openSecret<S extends Secret>(
  { app }: Context,
  mailbox: Pick<Mailbox, 'mailbox_id' | S>,
  secret: S,
): string {
  const sealed: string | null = mailbox[secret];
  return sealed === null ? '' : app.vault.open(sealed, sealedFor(mailbox.mailbox_id, secret));
}

/** Returns the hash of a secret that only its bearer knows, for storing and finding it. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
