// Contacts: the people of the CRM.
import {
  by,
  change,
  create,
  invalid,
  is,
  normalised,
  param,
  record,
  searched,
  sql,
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
import { ContactCreated, ContactUpdated } from '../events.ts';
import { deleteHistory } from '../history.ts';
import { checkReferences } from '../references.ts';
import { unlinkContact } from '../unlink.ts';
import { CrmContact, CrmContactTag } from './entities.ts';
import { contactName, ContactNames } from './names.ts';

export const Contacts = record(CrmContact, {
  title: 'Contact',
  logTitle: 'CRM contact',
  call: contactName,
  names: ContactNames,
  filters: (its) => ({
    search: searched(CrmContact),
    prospect_id: its.by(param.id(), (_ctx, prospect_id) => is('account', prospect_id)),
    tag: its.by(
      param.text(64),
      (_ctx, tag) =>
        sql`crm_contact.contact_id IN (SELECT contact_id FROM crm_contact_tag WHERE tag = ${normalised(tag)})`,
    ),
  }),
  sorts: { name: by('last_name', 'first_name') },
  order: 'asc',
  taken: () => 'A contact with this email already exists',
  derive: ({ email, prospect_id }) => ({ email_key: normalised(email) || null, account: prospect_id ?? 0 }),
  prepare(_ctx, { first_name, last_name, email }) {
    if (!first_name && !last_name && !email) throw invalid('Enter a first name, a last name or an email');
  },
  async created(ctx, contact) {
    await insertTags(ctx, contact);
    ctx.emit(ContactCreated, contact);
  },
  async changed(ctx, changes) {
    for (const { after, changed } of changes) {
      if (changed.includes('tags')) await replaceTags(ctx, after);
      ctx.emit(ContactUpdated, after);
    }
  },
  /** Deletes its activities and notes too. Links from other records become null (C-19). */
  async removed(ctx, contacts) {
    for (const { contact_id } of contacts) {
      await ctx.db.delete(CrmContactTag, { contact_id });
      await deleteHistory(ctx, 'contact', contact_id);
      await unlinkContact(ctx, contact_id);
    }
  },
});

export const ContactView = view(Contacts, {
  more: (its) => ({ custom_fields: its.lookup(CustomValues, 'contact_id', readFieldsOf('contact'), noFields) }),
});

export type GivenContact = Given<typeof Contacts> & { readonly custom_fields?: GivenFields | undefined };
export type ContactWithFields = CrmContact & { readonly custom_fields: CustomFields };

export async function createContact(
  ctx: Context,
  { custom_fields, ...given }: GivenContact,
): Promise<ContactWithFields> {
  await checkReferences(ctx, given);
  return insertContact(ctx, given, await newFields(ctx, 'contact', custom_fields));
}

/** Inserts a contact with validated references and custom fields. @throws duplicate() for an address in use (V-28) */
export async function insertContact(
  ctx: Context,
  given: Given<typeof Contacts>,
  fields: ChangedFields,
): Promise<ContactWithFields> {
  const contact = await create(ctx, Contacts, withDistinctTags(given), {
    store: (row) => fields.store(row.contact_id),
  });
  return { ...contact, custom_fields: fields.after };
}

/** Changes a contact that was locked in the same transaction. */
export async function updateContact(
  ctx: Context,
  contact: CrmContact,
  { custom_fields, ...update }: GivenContact,
): Promise<ContactWithFields> {
  await checkReferences(ctx, update, contact);
  const fields = await changedFields(ctx, 'contact', contact.contact_id, custom_fields);
  const after = await change(ctx, Contacts, contact, withDistinctTags(update), {
    extra: fields.changes,
    store: (row) => fields.store(row.contact_id),
  });
  return { ...after, custom_fields: fields.after };
}

/** Returns the response to a write. The custom fields are known, so nothing is read. */
export function showContact(contact: ContactWithFields) {
  return showWith(ContactView, contact, { custom_fields: contact.custom_fields });
}

/** A tag in several spellings, such as `VIP` and `vip`, keeps the first. */
function withDistinctTags<G extends Given<typeof Contacts>>(given: G): G {
  if (!given.tags) return given;
  const spellings = Map.groupBy(given.tags, normalised).values();
  return { ...given, tags: [...spellings].flatMap(([first]) => first ?? []) };
}

async function replaceTags(ctx: Context, contact: CrmContact): Promise<void> {
  await ctx.db.delete(CrmContactTag, { contact_id: contact.contact_id });
  await insertTags(ctx, contact);
}

async function insertTags({ db }: Context, { contact_id, tags }: CrmContact): Promise<void> {
  const keys = new Set(tags.map(normalised));
  const rows = [...keys].map((tag) => ({ contact_id, tag }));
  await db.insert(CrmContactTag, rows);
}
