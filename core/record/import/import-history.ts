// The history of imports: who imported which file, its progress and the rows it stored, so that it can be cancelled and
// undone (import-undo.ts).
import type { Transaction } from '@keelson/database/db.ts';
import {
  choice,
  flag,
  id,
  int,
  json,
  key,
  table,
  text,
  when,
  type New,
  type Row,
  type Table,
} from '@keelson/database/schema/table.ts';
import { conflict } from '@keelson/kit/problem.ts';
import { In } from 'typeorm';
import { z } from 'zod';
import type { ImportInput } from '../../files/import-file.ts';
import { onlyFile } from '../../files/import-file.ts';
import type { ImportResult, ImportWatch } from '../../files/import-run.ts';
import { journalled, type Context } from '../../plugin/context.ts';
import { event } from '../../plugin/declaration/declare.ts';
import type { Importable } from '../../plugin/declaration/import-declaration.ts';
import type { Journal } from '../../plugin/journal.ts';
import type { Recorded } from '../record.ts';

const importStatuses = ['checking', 'running', 'done', 'undoing', 'undone'] as const;

/** An import in the history. */
export const ImportRun = table(
  'import_run',
  {
    import_id: id(),
    /** What was imported: the name of an `Importable`. */
    noun: key(64),
    file_name: text(255).default(''),
    /** `checking` is a dry run, whose row is deleted at its end. */
    status: choice(...importStatuses),
    /** The import did not finish, so its stored rows are undone. */
    cancelled: flag().default(false),
    author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
    author_id: int().nullable(),
    author_name: text(255).default(''),
    /** The company of an import on the portal. */
    company_number: int().nullable(),
    total: int().default(0),
    processed: int().default(0),
    created: int().default(0),
    updated: int().default(0),
    failed: int().default(0),
    /** Result of undoing: records deleted, restored, and kept because they have changed since. */
    removed: int().default(0),
    restored: int().default(0),
    kept: int().default(0),
    undone_by: text(255).default(''),
    undone_at: when().nullable(),
    finished_at: when().nullable(),
    created_at: when(),
    /** Renewed during the run; if it stops advancing, the process has died. */
    updated_at: when(),
  },
  [['status', 'updated_at'], ['author_type', 'author_id', 'created_at'], ['created_at']],
);
export type ImportRun = Row<typeof ImportRun>;

/** A record that an import created or changed. Deleted once it is undone. */
export const ImportRow = table(
  'import_row',
  {
    row_id: id(),
    import_id: int(),
    record_id: int(),
    /** `kept`: not undone, for the given `reason`. */
    state: choice('created', 'changed', 'kept'),
    /** The changed columns with their values before the import. */
    before: json(z.record(z.string(), z.unknown())),
    /** `updated_at` after the import. If the record's value differs, it has changed since. */
    stamp: when(),
    label: text(255).default(''),
    reason: text(255).default(''),
  },
  [['import_id', 'state', 'row_id']],
  { unique: [['import_id', 'record_id']] },
);

/** Emitted to undo an import, repeatedly until it is undone. */
export const ImportUndoing = event('import.undoing', z.object({ import_id: z.int() }));

interface ImportedFile {
  readonly total: number;
  readonly options: { readonly dry_run?: boolean | undefined };
}

/** The response of every import besides its counts. */
export const importOutcome = {
  dry_run: z.boolean(),
  import_id: z.int().nullable().describe('History entry used to undo the import; null for a dry run'),
};

/**
 * Runs an import with an entry in the history. `work` stores the rows with the context it is given, which records what
 * it creates and changes, and passes `watch` to `importRows`. An import that fails, or is cancelled, is undone.
 * @throws conflict() when it was cancelled
 */
export async function runImport<A, R extends ImportResult>(
  ctx: Context<A>,
  of: Importable,
  { file, uploads }: { readonly file: ImportedFile; readonly uploads: ImportInput['uploads'] },
  work: (ctx: Context<A>, watch: ImportWatch) => Promise<R>,
): Promise<R & { dry_run: boolean; import_id: number | null }> {
  const { dry_run = false } = file.options;
  const import_id = await begin(ctx, of, onlyFile(uploads).filename, file);
  const inside = dry_run ? ctx : journalled(ctx, journalOf(import_id, of.of as Recorded));
  const watch: ImportWatch = (counts) => tellProgress(ctx, import_id, dry_run, counts);
  try {
    const result = await work(inside, watch);
    if (dry_run) await ctx.app.database.delete(ImportRun, { import_id });
    else await finish(ctx, import_id, result);
    return { ...result, dry_run, import_id: dry_run ? null : import_id };
  } catch (error) {
    await giveUp(ctx, import_id, dry_run);
    throw error;
  }
}

async function begin(ctx: Context, of: Importable, filename: string, { total, options }: ImportedFile) {
  const { type: author_type, id: author_id, name } = ctx.author;
  const now = ctx.app.clock.now();
  return ctx.app.database.insertReturningId(ImportRun, {
    noun: of.name,
    file_name: filename.slice(0, 255),
    status: options.dry_run ? 'checking' : 'running',
    author_type,
    author_id,
    author_name: name.slice(0, 255),
    company_number: companyOf(ctx.actor),
    total,
    created_at: now,
    updated_at: now,
  });
}

/** Returns the company of an employee. */
const companyOf = (actor: unknown): number | null =>
  typeof actor === 'object' && actor !== null && 'employee_number' in actor && 'company_number' in actor
    ? Number(actor.company_number)
    : null;

type Counts = Parameters<ImportWatch>[0];

const cancelled = () => conflict('The import was cancelled: stored rows are being undone');

/**
 * Checks for cancellation.
 * @throws conflict() if the import was cancelled in the meantime
 */
async function tellProgress(ctx: Context, import_id: number, dry_run: boolean, counts: Counts): Promise<void> {
  const { app } = ctx;
  const status = dry_run ? 'checking' : 'running';
  const next = { ...counts, updated_at: app.clock.now() };
  const { affected } = await app.database.update(ImportRun, { import_id, status, cancelled: false }, next);
  if (affected === 0) throw cancelled();
}

async function finish({ app }: Context, import_id: number, { total, created, updated, failed }: ImportResult) {
  const now = app.clock.now();
  const end = {
    status: 'done',
    processed: total,
    created,
    updated,
    failed,
    finished_at: now,
    updated_at: now,
  } as const;
  const { affected } = await app.database.update(ImportRun, { import_id, status: 'running', cancelled: false }, end);
  if (affected === 0) throw cancelled();
}

async function giveUp(ctx: Context, import_id: number, dry_run: boolean): Promise<void> {
  if (dry_run) await ctx.app.database.delete(ImportRun, { import_id });
  else await ctx.transaction((inside) => abandonImport(inside, import_id));
}

/** Ends an incomplete import and undoes it. */
export async function abandonImport(ctx: Context, import_id: number): Promise<void> {
  const next = { status: 'undoing', cancelled: true, updated_at: ctx.app.clock.now() } as const;
  if ((await ctx.db.update(ImportRun, { import_id, status: 'running' }, next)).affected > 0)
    ctx.emit(ImportUndoing, { import_id });
}

interface Note {
  readonly state: 'created' | 'changed';
  readonly before: Readonly<Record<string, unknown>>;
  readonly stamp: string;
}

/** Rows per insert statement. */
const SLICE = 500;

/** Records what an import creates and changes in its own table. Undoing those rows takes care of other tables. */
function journalOf(import_id: number, of: Recorded): Journal {
  const { table: own, options } = of;
  // Grouped by transaction, because a failed transaction is run again.
  const notes = new WeakMap<Transaction, Map<number, Note>>();
  const notesOf = (tx: Transaction): Map<number, Note> => {
    const known = notes.get(tx) ?? new Map<number, Note>();
    notes.set(tx, known);
    return known;
  };
  return {
    created(tx, of_, rows) {
      if (of_ !== own) return;
      const into = notesOf(tx);
      for (const row of rows)
        into.set(Number(row[own.primary]), { state: 'created', before: {}, stamp: String(row['updated_at']) });
    },
    changed(tx, of_, before, after) {
      if (of_ !== own) return;
      const derived = options.derive ? Object.keys(options.derive(after, before)) : [];
      const omitted = new Set([...of.secret, ...derived, 'updated_at']);
      const fields = Object.keys(own.columns).filter(
        (each) => !omitted.has(each) && JSON.stringify(before[each]) !== JSON.stringify(after[each]),
      );
      const changed = { ...Object.fromEntries(fields.map((each) => [each, before[each]])) };
      add(notesOf(tx), Number(after[own.primary]), {
        state: 'changed',
        before: changed,
        stamp: String(after['updated_at']),
      });
    },
    store: (tx) => storeNotes(tx, import_id, notesOf(tx)),
  };
}

/** Adds a later change to a record, keeping the state before the first one. */
function add(notes: Map<number, Note>, record_id: number, later: Note): void {
  const earlier = notes.get(record_id);
  notes.set(
    record_id,
    earlier ? { ...earlier, before: { ...later.before, ...earlier.before }, stamp: later.stamp } : later,
  );
}

async function storeNotes(tx: Transaction, import_id: number, notes: Map<number, Note>): Promise<void> {
  const changed = [...notes].filter(([, each]) => each.state === 'changed').map(([record_id]) => record_id);
  // A file may contain the same record in several batches.
  const stored = changed.length === 0 ? [] : await tx.findBy(ImportRow, { import_id, record_id: In(changed) });
  for (const { row_id, record_id, state, before } of stored) {
    const later = notes.get(record_id);
    if (!later) continue;
    notes.delete(record_id);
    const both = state === 'created' ? {} : { ...later.before, ...before };
    await tx.update(ImportRow, { row_id }, { before: both, stamp: later.stamp });
  }
  const rows = [...notes].map(([record_id, { state, before, stamp }]): New<typeof ImportRow> => ({
    import_id,
    record_id,
    state,
    before: { ...before },
    stamp,
  }));
  for (let at = 0; at < rows.length; at += SLICE) await tx.insert(ImportRow, rows.slice(at, at + SLICE));
  notes.clear();
}

/** Returns true if the table supports imports: undoing compares `updated_at`. */
export const hasStamp = ({ columns }: Table): boolean => 'updated_at' in columns;
