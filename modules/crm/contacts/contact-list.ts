// The list of contacts, by name (P-11).
import { by, defineList, is, normalised, readPage, sql, type Context, type Filter } from '@keelson/core';
import { noFields, readFields } from '../custom-fields/custom-values.ts';
import { ContactCount, CrmContact } from './entities.ts';
import { found } from '../search/words.ts';

const ContactList = defineList({
  table: CrmContact,
  columns: [
    'contact_id',
    'prospect_id',
    'first_name',
    'last_name',
    'email',
    'phone',
    'mobile',
    'title',
    'company_name',
    'tags',
    'assigned_to',
    'lead_id',
    'created_at',
    'updated_at',
  ],
  counters: [ContactCount],
  sorts: { name: by('last_name', 'first_name') },
});

export interface ContactsAsked {
  readonly search?: string | undefined;
  readonly prospect_id?: number | undefined;
  readonly tag?: string | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of contacts with the values of their custom fields. */
export async function listContacts(ctx: Context, { search, prospect_id, tag, page, size }: ContactsAsked) {
  const where: Filter[] = [];
  if (prospect_id) where.push(is('account', prospect_id));
  if (search) where.push(found(ctx.db, 'contact', sql`crm_contact.contact_id`, search));
  if (tag)
    where.push(sql`crm_contact.contact_id IN (SELECT contact_id FROM crm_contact_tag WHERE tag = ${normalised(tag)})`);
  const { rows, total } = await readPage(ctx.db, ContactList, { where, sort: 'name', direction: 'asc', page, size });
  const ids = rows.map((each) => each.contact_id);
  const fields = await readFields(ctx, 'contact', ids);
  return { rows: rows.map((each) => ({ ...each, custom_fields: fields.get(each.contact_id) ?? noFields })), total };
}
