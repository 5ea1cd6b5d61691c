// `@keelson/core/database`: complements `ctx.db` for code that receives a database or builds its own statements.

// The types behind `ctx.db`, and rows to insert.
export type { Db, Transaction } from './db.ts';
export type { New } from './table.ts';

// Statement helpers: conditions, a read deadline, and pruning of old rows.
export { containing, joined, name } from './sql.ts';
export { inTime } from './sqlite-watch.ts';
export { removeBefore } from './prune.ts';
