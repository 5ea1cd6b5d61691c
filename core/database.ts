// `@keelson/core/database`: complements `ctx.db` for code that receives a database or builds its own statements.

// The types behind `ctx.db`, and rows to insert.
export type { Db, Transaction } from '@keelson/database/db.ts';
export type { New } from '@keelson/database/schema/table.ts';

// Statement helpers: conditions, a read deadline, and pruning of old rows.
export { containing, joined, name } from '@keelson/database/statement/sql.ts';
export { inTime } from '@keelson/database/sqlite/sqlite-watch.ts';
export { removeBefore } from '@keelson/database/prune.ts';
