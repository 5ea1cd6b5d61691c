// `@keelson/core/database`: beside `ctx.db`, for functions that are given a database and statements of one's own.

// Databases: what `ctx.db` is, and rows that are inserted.
export type { Db, Transaction } from './db.ts';
export type { New } from './table.ts';

// Statements: parts of conditions, a deadline of one's own, and deleting what is old.
export { joined } from './sql.ts';
export { inTime } from './sqlite-watch.ts';
export { removeBefore } from './prune.ts';
