// Plugins that use TypeORM: their entities are checked at boot and work like all others.
import { created, definePlugin, id, input, item, ref, table, text, toOne, z } from '@keelson/core';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { EntitySchema, type EntitySchemaOptions } from 'typeorm';
import { faultsOf } from '../../core/plugin/load/check.ts';
import type { Plugin } from '../../core/plugin/plugin.ts';
import { anyone } from '../../core/plugin/route/surface.ts';
import { admin } from '../../core/surfaces/admin.ts';

interface Bell {
  bell_id: number;
  tone: string;
  rung_at: Date | null;
}
const columns: EntitySchemaOptions<Bell>['columns'] = {
  bell_id: { type: 'integer', primary: true, generated: 'increment' },
  tone: { type: 'varchar', length: 40, unique: true },
  rung_at: { type: 'datetime', precision: 3, nullable: true },
};
const Bell = new EntitySchema<Bell>({ name: 'tower_bell', columns });
const Rope = table('tower_rope', { rope_id: id(), bell_id: ref('tower_bell.bell_id'), name: text(40) }, [], {
  relations: { bell: toOne(Bell, 'bell_id') },
});

const plugin = (more: Partial<Plugin>) => definePlugin({ id: 'tower', title: 'Tower', ...more });
const faults = (entities: readonly EntitySchema[], more: Partial<Plugin> = {}) =>
  faultsOf([{ plugin: plugin({ entities, ...more }), source: 'plugin' }]).map((each) => each.message);
const schema = (more: object) => new EntitySchema<Bell>({ name: 'tower_bell', columns, ...more });

test('a plugin’s entity schema follows the rules of its tables', (t) => {
  t.deepEqual(faults([Bell, Rope]), []);
  t.deepEqual(faults([schema({ name: 'bell' })]), ['table bell must start with tower_']);
  t.deepEqual(faults([Bell, schema({})]), ['table tower_bell is already taken by tower']);
  const named = 'entity tower_bell must be named like its table, in snake_case';
  t.deepEqual(faults([schema({ tableName: 'ticket' })]), [named]);
  t.deepEqual(faults([schema({ target: class Ticket {} })]), [
    'entity tower_bell must leave out target: rows are plain objects',
  ]);
  t.deepEqual(faults([schema({ type: 'view' })]), ['entity tower_bell must be a table']);
  t.regex(faults([schema({ synchronize: false })]).join(), /must leave out synchronize/);
  const whole = schema({ columns: { ...columns, tone: { type: 'int' } } });
  t.deepEqual(faults([whole]), [
    "entity tower_bell: the type of tone must be 'integer', because 'int' causes schema drift",
  ]);
  t.regex(faults([schema({ database: 'mysql' })]).join(), /must leave out database/);
  const relations = { others: { type: 'many-to-many', target: 'tower_bell', joinTable: { name: 'ticket_bell' } } };
  t.deepEqual(faults([schema({ relations })]), ['table ticket_bell must start with tower_']);
  t.regex(faults([JSON.parse('{"options": {}}')]).join(), /entities\.0 is invalid for definePlugin\(\)/);
  t.regex(faults([new EntitySchema(JSON.parse('{}'))]).join(), /must have a name/);
});

test('an entity TypeORM rejects on a database is a fault and does not stop the process', (t) => {
  const json = schema({ columns: { ...columns, rung_at: { type: 'jsonb' } } });
  t.deepEqual(faults([json]), [
    'entities: on mysql: Data type "jsonb" in "tower_bell.rung_at" is not supported by "mysql" database.',
  ]);
  const lost = schema({ relations: { rope: { type: 'many-to-one', target: 'nowhere' } } });
  t.regex(faults([lost]).join(), /^entities: on sqlite: Entity metadata for tower_bell#rope was not found/);
  t.regex(faults([Rope]).join(), /bell_id references the table tower_bell, which belongs to no module/);
  const keyless = schema({ columns: { tone: { type: 'varchar' } } });
  t.regex(faults([keyless]).join(), /does not have a primary column/);
});

test('a relation by a missing column is rejected at declaration', (t) => {
  const relations = { bell: toOne(Bell, 'bell_id') };
  // @ts-expect-error its only column is rope_id
  t.throws(() => table('tower_rope', { rope_id: id() }, [], { relations }), {
    message: 'tower_rope.bell relates by bell_id, which is not a column',
  });
});

test('a relation named like a column is rejected', (t) => {
  const columns = { rope_id: id(), bell_id: ref('tower_bell.bell_id') };
  t.throws(() => table('tower_rope', columns, [], { relations: { bell_id: toOne(Bell, 'bell_id') } }), {
    message: 'tower_rope.bell_id is already a column: a relation needs its own name',
  });
});

test('plugin routes use repositories within the same transaction', async (t) => {
  const Shape = z.object({ name: z.string(), tone: z.string() });
  const ring = admin.post('/tower/bells.php', {
    title: 'Hang a bell',
    access: anyone,
    body: z.object({ tone: input.text(40) }),
    returns: created(Shape),
    async handle(ctx, { body: { tone } }) {
      const bell = await ctx.repository(Bell).save({ tone, rung_at: new Date(ctx.now) });
      await ctx.db.insert(Rope, { bell_id: bell.bell_id, name: `rope of ${tone}` });
      if (tone !== 'silent') {
        ctx.record({ action: 'create', entity_type: 'tower_bell', entity_id: bell.bell_id, description: 'Bell hung' });
      }
      if (tone === 'cracked') throw new Error('cracked');
      const rope = await ctx.manager.getRepository(Rope).findOneOrFail({ where: { bell }, relations: { bell: true } });
      t.is(ctx.manager, ctx.manager);
      return { name: rope.name, tone: rope.bell?.tone ?? '' };
    },
  });
  const read = admin.get('/tower/bells.php', {
    title: 'A bell',
    access: anyone,
    returns: item(z.object({ tone: z.string(), at: z.string() })),
    async handle(ctx) {
      const { tone, rung_at } = await ctx.repository(Bell).findOneByOrFail({ bell_id: 1 });
      return { tone, at: rung_at?.toISOString() ?? '' };
    },
  });
  const tower = plugin({ entities: [Bell, Rope], routes: [ring, read] });
  const { app, request, clock, expectError } = await startApp(t, { plugins: [tower] });
  expectError(/(?:cracked|without an activity log entry).*request failed/);
  const path = '/admin/api/v1/tower/bells.php';
  const hang = (tone: string) => request('POST', path, { body: { tone } });
  t.like(await hang('low'), { status: 201, body: { data: { name: 'rope of low', tone: 'low' } } });
  t.like((await request('GET', path)).body.data, { tone: 'low', at: clock.now() });
  t.is((await hang('cracked')).status, 500);
  t.is(await app.database.manager().getRepository(Bell).count(), 1);
  // Not recorded: the pipeline counts a repository's writes.
  t.is((await hang('silent')).status, 500);
});
