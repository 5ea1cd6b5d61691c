// Event streams without a network: what a listener receives, and how many bytes are unread.
import type { Admin, EmployeeActor } from '@keelson/core';
import { adminSurface, contextOf, helpdeskSurface } from '@keelson/core/system';
import type { TestApp } from '@keelson/testing';
import type { EventSink } from '../../core/plugin/route/returns.ts';
import { streams, type LiveStreams } from '../../modules/live/live.ts';
import { seedEmployee } from '../accounts-seed.ts';

export interface Ear {
  /** Returns the events since the last call: `changed ticket 7 by employee 3`, `reload`. */
  heard(): string[];
  /** Returns the id of the last event. */
  lastId(): string;
  /** Number of bytes the client has not read. */
  unread: number;
  /** The caller from now on; undefined for no valid caller. */
  caller: unknown;
  readonly over: boolean;
  close(): void;
}

/** Returns the streams of an application, with the timer stopped, so that they check only on demand. */
export function streamsOf({ app }: TestApp): LiveStreams {
  const live = streams(app);
  live.stopTimer();
  return live;
}

export function listen(app: TestApp, actor: Admin | EmployeeActor, lastEventId?: string): Promise<Ear> {
  if ('company_number' in actor) return open(app, helpdeskSurface, actor, lastEventId);
  return open(app, adminSurface, actor, lastEventId);
}

async function open(
  { app }: TestApp,
  surface: typeof adminSurface | typeof helpdeskSurface,
  actor: any,
  lastEventId?: string,
): Promise<Ear> {
  let text = '';
  let last = '';
  let over = false;
  const closed: (() => void)[] = [];
  const end = (): void => {
    over = true;
    for (const each of closed.splice(0)) each();
  };
  const ear: Ear = {
    unread: 0,
    caller: actor,
    get over() {
      return over;
    },
    lastId: () => last,
    heard() {
      const events = text.split('\n\n');
      text = '';
      return events.flatMap((each) => {
        if (each.startsWith('event: reload')) return ['reload'];
        if (!/^event: (?:change|presence)/.test(each)) return [];
        const { event, doing, type, key, by } = JSON.parse(/^data: (.*)$/m.exec(each)?.[1] ?? '');
        return [`${event ?? doing} ${type} ${key} by ${by.type} ${by.id}`];
      });
    },
    close: end,
  };
  const sink: EventSink = {
    get waiting() {
      return ear.unread;
    },
    write(more) {
      text += more;
      last = /^id: (.+)$/m.exec(more)?.[1] ?? last;
    },
    end,
    onClose: (work) => closed.push(work),
    caller: async () => ear.caller,
  };
  const ctx = contextOf({ app, actor, author: surface.author(actor as never) });
  (await streams(app).open(ctx, surface, lastEventId)).open(sink);
  return ear;
}

export const anAdministrator: Admin = Object.freeze({
  kind: 'technician',
  user_id: 900,
  name: 'Ada',
  email: 'ada@example.com',
  role: 'administrator',
  session_id: 1,
});

export function aKey(permissions: readonly string[], key_id = 1): Admin {
  const rest = { name: 'Key', role: 'administrator', allow_reveal: false, rate_limit_per_minute: 60 } as const;
  return Object.freeze({ kind: 'key', key_id, permissions: new Set(permissions), ...rest });
}

/** Returns an employee of a company as the helpdesk's actor. */
export async function anEmployee(
  app: TestApp,
  company_number: number,
  rights: Partial<Pick<EmployeeActor, 'ismgr' | 'it_privileges'>> = {},
): Promise<EmployeeActor> {
  const person = await seedEmployee(app, { company_number, ...rights });
  return Object.freeze({
    ...person,
    company_name: 'Company',
    session_id: 1,
    via: 'cookie',
    ...rights,
  } as EmployeeActor);
}
