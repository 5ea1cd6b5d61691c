// Undoes an import: deletes what it created and restores what it changed, but keeps records that have changed since.
import { eachApart } from '@keelson/kit/each-apart.ts';
import { conflict, Problem } from '@keelson/kit/problem.ts';
import { plus } from '@keelson/kit/time.ts';
import { yieldToOthers } from '@keelson/kit/yield.ts';
import { In, LessThan } from 'typeorm';
import type { Context } from '../../plugin/context.ts';
import { subscriber } from '../../plugin/declaration/declare.ts';
import { findHoldersOfAll } from '../../plugin/declaration/dependents.ts';
import type { Importable } from '../../plugin/declaration/import-declaration.ts';
import { lockAll } from '../read.ts';
import type { Recorded } from '../record.ts';
import { change, remove } from '../write.ts';
import { abandonImport, ImportRow, ImportRun, ImportUndoing } from './import-history.ts';

/** Records per transaction, small enough that other requests wait only milliseconds. */
const BATCH = { sqlite: 40, mysql: 100 };
/** A delivery has 30 seconds, so undoing a large import takes several. */
const SLICE_MS = 10_000;
const LOST_AFTER = { minutes: -2 };

const PLUGIN_OFF = 'The plugin that imported these records is off';

/** Returns the importable of an import; undefined if its plugin is gone. */
export const importableOf = ({ app }: Context, noun: string): Importable | undefined =>
  app.plugins.flatMap((plugin) => plugin.imports ?? []).find((each) => each.name === noun);

/**
 * Begins to undo an import, in the background. The run must be locked in the same transaction. Cancels a running
 * import.
 * @throws conflict() unless it has ended or is running, and its plugin is enabled
 */
export async function undoImport(ctx: Context, run: ImportRun): Promise<void> {
  const { import_id, status } = run;
  if (status === 'undoing' || status === 'undone') throw conflict('The import has already been undone');
  if (status === 'checking') throw conflict('Nothing has been imported yet');
  if (!importableOf(ctx, run.noun)) throw conflict(PLUGIN_OFF);
  const undone = { undone_by: ctx.author.name.slice(0, 255), updated_at: ctx.now };
  // A running import notices at its next batch and then undoes itself.
  if (status === 'running') await ctx.db.update(ImportRun, { import_id }, { ...undone, cancelled: true });
  else {
    await ctx.db.update(ImportRun, { import_id }, { ...undone, status: 'undoing' });
    ctx.emit(ImportUndoing, { import_id });
  }
  const description = `Import of ${run.file_name || run.noun} ${status === 'running' ? 'cancelled' : 'undone'}`;
  ctx.record({ action: 'update', entity_type: 'import', entity_id: import_id, description });
}

/** Undoes imports in the background. */
export const undoImports = subscriber(
  'system.undo-import',
  ImportUndoing,
  async (ctx, { data: { import_id } }) => {
    const run = await ctx.app.database.findOneBy(ImportRun, { import_id, status: 'undoing' });
    if (!run) return;
    const of = importableOf(ctx, run.noun);
    const until = performance.now() + SLICE_MS;
    while (await ctx.transaction((inside) => undoBatch(inside, run, of))) {
      await yieldToOthers();
      if (performance.now() < until) continue;
      await ctx.transaction(async (inside) => inside.emit(ImportUndoing, { import_id }));
      return;
    }
  },
  { outside: true },
);

/** Ends imports whose process died, and resumes interrupted undoing. */
export async function tidyImports(ctx: Context): Promise<void> {
  const lost = { updated_at: LessThan(plus(ctx.now, LOST_AFTER)) };
  await ctx.app.database.delete(ImportRun, { ...lost, status: 'checking' });
  const runs = await ctx.app.database.findBy(ImportRun, { ...lost, status: In(['running', 'undoing']) });
  await eachApart(
    runs,
    ({ import_id }) => `import ${import_id}`,
    (run) =>
      ctx.transaction((inside) => (run.status === 'running' ? abandonImport : resumeUndo)(inside, run.import_id)),
  );
}

async function resumeUndo(ctx: Context, import_id: number): Promise<void> {
  await ctx.db.update(ImportRun, { import_id, status: 'undoing' }, { updated_at: ctx.now });
  ctx.emit(ImportUndoing, { import_id });
}

/** Undoes some records, changed ones first. Returns false when none are left. */
async function undoBatch(ctx: Context, { import_id }: ImportRun, of: Importable | undefined): Promise<boolean> {
  const [run] = await ctx.db.find(ImportRun, {
    where: { import_id, status: 'undoing' },
    lock: { mode: 'pessimistic_write' },
  });
  if (!run) return false;
  const notes = await pendingNotes(ctx, import_id);
  if (notes.length === 0) return finish(ctx, run);
  if (!of) return leave(ctx, run, notes);
  const recorded = of.of as Recorded;
  const { table } = recorded;
  const rows = await lockAll(
    ctx,
    recorded,
    notes.map((each) => each.record_id),
  );
  const found = new Map<number, AnyRow>(rows.map((row: AnyRow) => [Number(row[table.primary]), row]));
  const kept = await keptOf(ctx, of, notes, found);
  const free = notes.filter(({ record_id }) => !kept.has(record_id) && found.has(record_id));
  const removed = free.filter(({ state }) => state === 'created').map(({ record_id }) => found.get(record_id) ?? {});
  await remove(ctx, recorded, removed as never, {
    entity_id: 'import',
    description: `${removed.length} ${recorded.title.toLowerCase()} records removed: import ${import_id} undone`,
  });
  let restored = 0;
  for (const { record_id, state, before } of free) {
    if (state !== 'changed') continue;
    try {
      const row = found.get(record_id) as never;
      await (of.restore ? of.restore(ctx, row, before) : change(ctx, recorded, row, before as never));
      restored++;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      kept.set(record_id, error.message);
    }
  }
  await storeKept(ctx, notes, kept, (id) => String(recorded.options.call(found.get(id) ?? {})));
  const done = notes.filter(({ record_id }) => !kept.has(record_id)).map(({ row_id }) => row_id);
  await ctx.db.delete(ImportRow, { row_id: In(done) });
  await ctx.db.update(
    ImportRun,
    { import_id },
    {
      removed: run.removed + removed.length,
      restored: run.restored + restored,
      kept: run.kept + kept.size,
      updated_at: ctx.now,
    },
  );
  return true;
}

/** Keeps records whose plugin was disabled after undoing began. */
async function leave(ctx: Context, { import_id, kept }: ImportRun, notes: readonly ImportNote[]): Promise<true> {
  const all = new Map(notes.map(({ record_id }) => [record_id, PLUGIN_OFF]));
  await storeKept(ctx, notes, all, (id) => `Record ${id}`);
  await ctx.db.update(ImportRun, { import_id }, { kept: kept + notes.length, updated_at: ctx.now });
  return true;
}

type AnyRow = Readonly<Record<string, unknown>>;

async function pendingNotes(ctx: Context, import_id: number): Promise<ImportNote[]> {
  for (const state of ['changed', 'created'] as const) {
    const order = { row_id: 'DESC' } as const;
    const notes = await ctx.db.find(ImportRow, { where: { import_id, state }, order, take: BATCH[ctx.db.dialect] });
    if (notes.length > 0) return notes;
  }
  return [];
}
type ImportNote = (typeof ImportRow)['Row'];

/** Returns the records to keep, with the reason. */
async function keptOf(
  ctx: Context,
  of: Importable,
  notes: readonly ImportNote[],
  found: ReadonlyMap<number, AnyRow>,
): Promise<Map<number, string>> {
  const kept = new Map<number, string>();
  const { table, options } = of.of as Recorded;
  const created = notes.filter(({ state, record_id }) => state === 'created' && found.has(record_id));
  const ids = created.map(({ record_id }) => record_id);
  const holders = await findHoldersOfAll(ctx, table, ids);
  const more = ids.length > 0 ? await of.kept?.(ctx, ids) : undefined;
  for (const { record_id, state, stamp } of notes) {
    const row = found.get(record_id);
    if (!row) continue;
    const by = holders.get(record_id);
    const reason = by ? (options.held?.(row, by) ?? `Still has ${listWords.format(by)}`) : more?.get(record_id);
    if (row['updated_at'] !== stamp) kept.set(record_id, 'Changed after the import');
    else if (state === 'created' && reason !== undefined) kept.set(record_id, reason);
  }
  return kept;
}

const listWords = new Intl.ListFormat('en-GB');

async function storeKept(
  ctx: Context,
  notes: readonly ImportNote[],
  kept: ReadonlyMap<number, string>,
  labelOf: (record_id: number) => string,
): Promise<void> {
  for (const { row_id, record_id } of notes) {
    const reason = kept.get(record_id);
    if (reason === undefined) continue;
    const label = labelOf(record_id).slice(0, 255);
    await ctx.db.update(ImportRow, { row_id }, { state: 'kept', label, reason: reason.slice(0, 255) });
  }
}

async function finish(ctx: Context, { import_id, file_name, noun, removed, restored, kept }: ImportRun) {
  const end = { status: 'undone', undone_at: ctx.now, updated_at: ctx.now } as const;
  await ctx.db.update(ImportRun, { import_id }, end);
  const description = `Import of ${file_name || noun} undone: ${removed} removed, ${restored} restored, ${kept} left`;
  ctx.record({ action: 'update', entity_type: 'import', entity_id: import_id, description });
  return false;
}
