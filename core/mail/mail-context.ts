// The context for writing and sending mail.
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../database/db.ts';
import type { WorkContext } from '../events/work-context.ts';
import type { Wording } from '../kit/wording.ts';
import type { Storage } from '@keelson/storage';
import type { Clock } from '../kit/time.ts';
import type { Activity } from '../log/activity.ts';
import type { Vault } from '../security/vault.ts';
import type { Post } from './post.ts';

export interface MailContext extends WorkContext {
  readonly log: Logger;
  record(activity: Activity): void;
  readonly app: {
    readonly config: Config;
    readonly clock: Clock;
    readonly database: Database;
    readonly vault: Vault;
    readonly mail: Post;
    readonly storage: Pick<Storage, 'open'>;
    languageOf(ctx: Pick<WorkContext, 'db'>, person: { readonly address: string }): Promise<string | null>;
    wording(language: string | null): Wording;
  };
}
