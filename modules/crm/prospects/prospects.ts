// Prospect accounts: companies that may become customers.
import {
  by,
  change,
  conflict,
  create,
  invalid,
  normalised,
  record,
  searched,
  view,
  type Context,
  type Given,
} from '@keelson/core';
import { showWith } from '@keelson/core/record';
import {
  changedFields,
  CustomValues,
  newFields,
  noFields,
  readFieldsOf,
  type ChangedFields,
  type CustomFields,
  type GivenFields,
} from '../custom-fields/custom-values.ts';
import { ProspectCreated } from '../events.ts';
import { deleteHistory } from '../history.ts';
import { checkReferences } from '../references.ts';
import { unlinkProspect } from '../unlink.ts';
import { Prospect, type ProspectStatus } from './entities.ts';
import { ProspectNames } from './names.ts';

export const Prospects = record(Prospect, {
  title: 'Prospect',
  call: ({ name }) => name,
  filters: (its) => ({
    search: searched(Prospect),
    status: its.is('status'),
    industry: its.is('industry'),
  }),
  sorts: { name: by('name') },
  order: 'asc',
  names: ProspectNames,
  taken: () => 'A prospect with this name already exists',
  derive: ({ name }) => ({ name_key: normalised(name) }),
  prepare: (_ctx, after, before) => checkMove(before?.status, after.status),
  created: (ctx, prospect) => ctx.emit(ProspectCreated, prospect),
  /** Deletes its activities and notes too. Links from other records become null (C-19). */
  async removed(ctx, prospects) {
    for (const { prospect_id } of prospects) {
      await deleteHistory(ctx, 'prospect', prospect_id);
      await unlinkProspect(ctx, prospect_id);
    }
  },
});

export const ProspectView = view(Prospects, {
  more: (its) => ({ custom_fields: its.lookup(CustomValues, 'prospect_id', readFieldsOf('prospect'), noFields) }),
});

type Fields = Given<typeof Prospects>;
export type GivenProspect = Partial<Fields> & {
  /** Two aliases of `name` (F-77). */
  readonly account_name?: string | undefined;
  readonly company_name?: string | undefined;
  readonly custom_fields?: GivenFields | undefined;
};
export type ProspectWithFields = Prospect & { readonly custom_fields: CustomFields };

export async function createProspect(ctx: Context, given: GivenProspect): Promise<ProspectWithFields> {
  const { custom_fields, account_name, company_name, ...rest } = given;
  const name = rest.name ?? account_name ?? company_name;
  if (name === undefined) throw invalid('name is required');
  await checkReferences(ctx, rest);
  return insertProspect(ctx, { ...rest, name }, await newFields(ctx, 'prospect', custom_fields));
}

/** Inserts a prospect with validated references and custom fields. @throws duplicate() for a name in use (V-28) */
export async function insertProspect(ctx: Context, given: Fields, fields: ChangedFields): Promise<ProspectWithFields> {
  const prospect = await create(ctx, Prospects, given, {
    store: (row) => fields.store(row.prospect_id),
  });
  return { ...prospect, custom_fields: fields.after };
}

/** Changes a prospect that was locked in the same transaction (M-24). */
export async function updateProspect(
  ctx: Context,
  prospect: Prospect,
  given: GivenProspect,
): Promise<ProspectWithFields> {
  const { custom_fields, account_name, company_name, ...rest } = given;
  const update = { ...rest, name: rest.name ?? account_name ?? company_name };
  await checkReferences(ctx, update, prospect);
  const fields = await changedFields(ctx, 'prospect', prospect.prospect_id, custom_fields);
  const after = await change(ctx, Prospects, prospect, update, {
    extra: fields.changes,
    store: (row) => fields.store(row.prospect_id),
  });
  return { ...after, custom_fields: fields.after };
}

/** Returns the response to a write. The custom fields are known, so nothing is read. */
export function showProspect(prospect: ProspectWithFields) {
  return showWith(ProspectView, prospect, { custom_fields: prospect.custom_fields });
}

function checkMove(before: ProspectStatus | undefined, status: ProspectStatus): void {
  if (status === before) return;
  if (before === 'converted') throw conflict('status of a converted prospect cannot be changed');
  if (status === 'converted') throw invalid('status can only be set to converted with POST /prospects/{id}/convert');
}
