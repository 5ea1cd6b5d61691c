// Translates driver errors into the errors that the rest of the program handles.
import { Problem, unavailable } from '@keelson/kit/problem.ts';
import type { EntityMetadata } from 'typeorm';
import { DuplicateKey, MissingReference } from './db.ts';

/** A statement failed because of a bug. Holds the SQL text but never the parameters, which may be secret. */
export class StatementFailed extends Error {
  readonly code: string;
  readonly statement: string;
  constructor(message: string, code: string, statement: string) {
    super(message);
    this.code = code;
    this.statement = statement;
  }
}

/** MySQL rolled back the transaction because of a conflict; it can be retried. */
export class LostTransaction extends Error {
  /** True after a lock wait timeout, which takes a second each time. */
  readonly waited: boolean;
  constructor(message: string, waited: boolean) {
    super(message);
    this.waited = waited;
  }
}

/** The connection was lost, or its server no longer accepts work. Returned as 503 unless the work is retried. */
export class ConnectionLost extends Problem {
  constructor(reason: string) {
    const { kind, message, headers } = unavailable();
    super(kind, message, { headers: { ...headers } });
    this.cause = new Error(reason);
  }
}

/** A read was aborted because it blocked the process for too long. Returned as 503, like other timeouts. */
export class Interrupted extends Problem {
  constructor(reason: string) {
    const { kind, message, headers } = unavailable();
    super(kind, message, { headers: { ...headers } });
    this.cause = new Error(reason);
  }
}

export type Translate = (error: unknown, statement: string) => Error;

const LOST: ReadonlySet<number> = new Set([1205, 1213, 1020]);
const REFERENCE: ReadonlySet<number> = new Set([1216, 1217, 1451, 1452]);
// Too many connections, disk or table full, read-only, statement timeouts, an error during a commit.
const AWAY: ReadonlySet<number> = new Set([
  1021, 1037, 1038, 1040, 1114, 1180, 1203, 1226, 1290, 1317, 1836, 1969, 3024,
]);
// A node that has not joined its cluster, a shutdown, a killed connection, lost packets.
const CONNECTION: ReadonlySet<number> = new Set([1047, 1053, 1077, 1152, 1158, 1159, 1160, 1161, 1927]);
const SQLITE_AWAY: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14]);
const SQLITE_UNIQUE: ReadonlySet<number> = new Set([1555, 2067, 2579]);
const SQLITE_REFERENCE = 787;
const POOL = /^POOL_|Pool is closed|Queue limit/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|PROTOCOL_|ENOENT)|closed state/;

/**
 * Creates the translator. SQLite reports the columns of a violated unique key, so `entities` map them to the index
 * name.
 */
export function translator(entities: readonly EntityMetadata[] = []): Translate {
  const names = new Map(entities.flatMap(uniqueKeys));
  return (error, statement) => {
    const problem = property(error, 'driverError') ?? error;
    if (problem instanceof Problem) return problem;
    const { code, errno, errcode, message, fatal } = driverError(error);
    if (errcode !== undefined) {
      if (SQLITE_UNIQUE.has(errcode)) return new DuplicateKey(sqliteIndex(message, names));
      if (errcode === SQLITE_REFERENCE) return new MissingReference();
      if (SQLITE_AWAY.has(errcode & 0xff)) return databaseUnavailable(message);
    }
    if (errno === 1062) return new DuplicateKey(/for key '(?:[^'.]*\.)?([^'.]+)'$/.exec(message)?.[1] ?? '');
    if (errno !== undefined && LOST.has(errno)) return new LostTransaction(message, errno === 1205);
    if (errno !== undefined && REFERENCE.has(errno)) return new MissingReference();
    if ((errno !== undefined && AWAY.has(errno)) || POOL.test(code) || POOL.test(message))
      return databaseUnavailable(message);
    if ((errno !== undefined && CONNECTION.has(errno)) || fatal || NETWORK.test(code) || NETWORK.test(message)) {
      return new ConnectionLost(message);
    }
    return new StatementFailed(message, code, statement);
  };
}

/** Returns `unavailable()` with the reason as its cause, for the log. */
export function databaseUnavailable(reason: string): Problem {
  const problem = unavailable();
  problem.cause = new Error(reason);
  return problem;
}

/** Returns true if another process holds the lock on the SQLite file. */
export function isBusy(error: unknown): boolean {
  return ((driverError(error).errcode ?? 0) & 0xff) === 5;
}

interface DriverError {
  code: string;
  message: string;
  errno: number | undefined;
  errcode: number | undefined;
  fatal: boolean;
}

// TypeORM wraps the driver's error. The wrapper holds the statement's parameters, so it must not leave this module.
function driverError(error: unknown): DriverError {
  const inner = property(error, 'driverError') ?? error;
  const errno = property(inner, 'errno');
  const errcode = property(inner, 'errcode');
  return {
    code: textOf(property(inner, 'code')),
    message: textOf(property(inner, 'message')),
    errno: typeof errno === 'number' ? errno : undefined,
    errcode: typeof errcode === 'number' ? errcode : undefined,
    fatal: property(inner, 'fatal') === true,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function uniqueKeys({ tableName, primaryColumns, indices, uniques }: EntityMetadata): [string, string][] {
  const named = (columns: readonly { readonly databaseName: string }[]) =>
    columns.map((each) => `${tableName}.${each.databaseName}`).join(', ');
  const unique = [...indices.filter((each) => each.isUnique), ...uniques];
  return [
    [named(primaryColumns), 'PRIMARY'],
    ...unique.map((each): [string, string] => [named(each.columns), each.name]),
  ];
}

function sqliteIndex(message: string, names: ReadonlyMap<string, string>): string {
  const columns = message.replace(/^.*constraint failed: /, '');
  return names.get(columns) ?? columns;
}
