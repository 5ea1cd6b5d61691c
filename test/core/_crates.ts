// A plain noun of ten fields with everything it needs: table, migration, record, permissions, five routes and the
// plugin.
import {
  admin,
  by,
  choice,
  day,
  definePlugin,
  flag,
  id,
  input,
  int,
  migration,
  nounRoutes,
  record,
  table,
  text,
  view,
  when,
  type Row,
} from '@keelson/core';

const kinds = ['box', 'barrel', 'pallet'] as const;

export const Crate = table(
  'yard_crate',
  {
    crate_id: id(),
    code: text(40).unique(),
    label: text(255),
    kind: choice(...kinds).default('box'),
    weight: int().nullable(),
    fragile: flag().default(false),
    supplier: text(255).default(''),
    website: text(2048).default(''),
    packed_on: day().nullable(),
    opens_on: day().nullable(),
    notes: text().default(''),
    created_at: when(),
    updated_at: when(),
  },
  [['kind', 'created_at', 'crate_id'], ['created_at'], ['label']],
);
export type Crate = Row<typeof Crate>;

export const Crates = record(Crate, {
  title: 'Crate',
  call: ({ code }) => code,
  taken: ({ code }) => `code ${code} already exists`,
  filters: (its) => ({ kind: its.is('kind') }),
  sorts: { created_at: by('created_at'), label: by('label') },
});
export const CrateItem = view(Crates);

const ReadCrates = admin.permission('yard:read', 'View crates');
const WriteCrates = admin.permission('yard:write', 'Write crates');

const crates = nounRoutes(admin, '/yard/crates.php?id={id}', Crates, {
  titles: {
    list: 'List crates',
    create: 'Pack a crate',
    read: 'Read a crate',
    update: 'Repack a crate',
    delete: 'Throw a crate away',
  },
  read: ReadCrates,
  write: WriteCrates,
  view: CrateItem,
  fields: {
    code: input.text(40),
    label: input.text(255),
    kind: input.optional(input.choice(kinds)),
    weight: input.clearable(input.int(0, 10_000)),
    fragile: input.optional(input.flag()),
    supplier: input.optionalText(255),
    website: input.optionalUrl(),
    packed_on: input.clearable(input.day()),
    opens_on: input.clearable(input.day()),
    notes: input.optionalLongText(),
  },
});

export default definePlugin({
  id: 'yard',
  title: 'Crates',
  entities: [Crate],
  migrations: [
    migration('1795262600000-yard-crates', async (m) => {
      await m.createTable(
        'yard_crate',
        {
          crate_id: id(),
          code: text(40).unique(),
          label: text(255),
          kind: choice('box', 'barrel', 'pallet').default('box'),
          weight: int().nullable(),
          fragile: flag().default(false),
          supplier: text(255).default(''),
          website: text(2048).default(''),
          packed_on: day().nullable(),
          opens_on: day().nullable(),
          notes: text().default(''),
          created_at: when(),
          updated_at: when(),
        },
        [['kind', 'created_at', 'crate_id'], ['created_at'], ['label']],
      );
    }),
  ],
  permissions: [ReadCrates, WriteCrates],
  routes: crates,
});
