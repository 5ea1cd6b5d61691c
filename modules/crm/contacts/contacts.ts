// Contacts: the people of the CRM.
import {
  changesBetween,
  DuplicateKey,
  duplicate,
  invalid,
  normalised,
  notFound,
  updateCounters,
  type Context,
} from '@keelson/core';
import { defined, differing } from '../change.ts';
import {
  changedFields,
  fieldTexts,
  newFields,
  noFields,
  readFields,
  type ChangedFields,
  type CustomFields,
  type GivenFields,
} from '../custom-fields/custom-values.ts';
import { CrmContact, CrmContactTag } from './entities.ts';
import { ContactCreated, ContactUpdated } from '../events.ts';
import { checkReferences } from '../references.ts';
import { removeParts } from '../subject-parts.ts';
import { unlinkContact } from '../unlink.ts';
import { digitsOf, removeWords, replaceWords, storeWords, transactionOf } from '../search/words.ts';

export interface ContactFields {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly mobile?: string | undefined;
  readonly title?: string | undefined;
  readonly company_name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly prospect_id?: number | null | undefined;
  readonly assigned_to?: number | null | undefined;
}
export type GivenContact = ContactFields & { readonly custom_fields?: GivenFields | undefined };
export type ShownContact = CrmContact & { readonly custom_fields: CustomFields };

/** @throws notFound() when it is absent or deleted */
export async function findContact(ctx: Context, contact_id: number): Promise<CrmContact> {
  return read(ctx, contact_id, { lock: false });
}

/** The same for somebody who is about to change it. */
export async function lockContact(ctx: Context, contact_id: number): Promise<CrmContact> {
  return read(ctx, contact_id, { lock: true });
}

/** Contacts with the values of their custom fields, in one statement. */
export async function showContacts(ctx: Context, contacts: readonly CrmContact[]): Promise<ShownContact[]> {
  const ids = contacts.map((each) => each.contact_id);
  const fields = await readFields(ctx, 'contact', ids);
  return contacts.map((each) => ({ ...each, custom_fields: fields.get(each.contact_id) ?? noFields }));
}

export async function createContact(ctx: Context, { custom_fields, ...given }: GivenContact): Promise<ShownContact> {
  requireName(given);
  await checkReferences(ctx, given);
  return insertContact(ctx, given, await newFields(ctx, 'contact', custom_fields));
}

/** Adds a contact whose references and fields were looked at. @throws duplicate() when the address is taken (V-28) */
export async function insertContact(
  ctx: Context,
  { tags = [], prospect_id = null, ...given }: ContactFields & { readonly lead_id?: number },
  fields: ChangedFields,
): Promise<ShownContact> {
  const tx = transactionOf(ctx);
  const row = {
    first_name: '',
    last_name: '',
    email: '',
    phone: '',
    mobile: '',
    title: '',
    company_name: '',
    assigned_to: null,
    lead_id: null,
    ...defined(given),
    tags: [...tags],
    prospect_id,
    account: prospect_id ?? 0,
    email_key: normalised(given.email ?? '') || null,
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  const contact: CrmContact = { ...row, contact_id: await tx.insert(CrmContact, row).catch(taken) };
  const { contact_id, email } = contact;
  await fields.store(contact_id);
  await storeTags(ctx, contact);
  await storeWords(ctx, 'contact', contact_id, wordingOf(contact, fields.after));
  updateCounters(ctx, CrmContact, undefined, contact);
  ctx.emit(ContactCreated, { contact_id, email, prospect_id });
  record(ctx, 'create', contact, 'created');
  return { ...contact, custom_fields: fields.after };
}

/** Changes a contact that was locked in the same transaction. A change of nothing changes nothing (V-16). */
export async function updateContact(
  ctx: Context,
  contact: CrmContact,
  { custom_fields, ...update }: GivenContact,
): Promise<ShownContact> {
  const { contact_id } = contact;
  const { tags, ...rest } = defined(update);
  const set = differing(contact, { ...rest, ...(tags && { tags: [...tags] }) });
  const fields = await changedFields(ctx, 'contact', contact_id, custom_fields);
  if (Object.keys(set).length === 0 && !fields.differs) return { ...contact, custom_fields: fields.after };
  await checkReferences(ctx, set);
  const { email, prospect_id } = { ...contact, ...set };
  const keys = { email_key: normalised(email) || null, account: prospect_id ?? 0 };
  const stored = { ...set, ...keys, updated_at: ctx.now };
  const after = { ...contact, ...stored };
  requireName(after);
  await ctx.db.update(CrmContact, { contact_id }, stored).catch(taken);
  await fields.store(contact_id);
  if (set.tags) await storeTags(ctx, after);
  await replaceWords(ctx, 'contact', contact_id, wordingOf(after, fields.after));
  updateCounters(ctx, CrmContact, contact, after);
  ctx.emit(ContactUpdated, { contact_id, email, prospect_id });
  ctx.record({
    action: 'update',
    entity_type: 'crm_contact',
    entity_id: contact_id,
    description: `CRM contact ${nameOf(after)} updated`,
    changes: { ...changesBetween(contact, { ...set }), ...(fields.differs && { custom_fields: [null, fields.after] }) },
  });
  return { ...after, custom_fields: fields.after };
}

/** Deletes a contact with its activities and notes; links elsewhere become null (C-19). */
export async function deleteContact(ctx: Context, contact: CrmContact): Promise<void> {
  const { contact_id } = contact;
  await ctx.db.update(CrmContact, { contact_id }, { email_key: null, deleted_at: ctx.now });
  await ctx.db.remove(CrmContactTag, { contact_id });
  await removeParts(ctx, 'contact', contact_id);
  await unlinkContact(ctx, contact_id);
  await removeWords(ctx, 'contact', contact_id);
  updateCounters(ctx, CrmContact, contact, undefined);
  record(ctx, 'delete', contact, 'deleted');
}

export function nameOf({ first_name, last_name, email }: CrmContact): string {
  return `${first_name} ${last_name}`.trim() || email;
}

function wordingOf(contact: CrmContact, fields: CustomFields) {
  const { first_name, last_name, email, company_name, phone, mobile, title, tags } = contact;
  return {
    main: [first_name, last_name, email, company_name],
    more: [phone, digitsOf(phone), mobile, digitsOf(mobile), title, ...tags, ...fieldTexts(fields)],
  };
}

async function read(ctx: Context, contact_id: number, options: { lock: boolean }): Promise<CrmContact> {
  const contact = await ctx.db.one(CrmContact, { contact_id, deleted_at: null }, options);
  if (!contact) throw notFound('Contact');
  return contact;
}

function requireName({ first_name, last_name, email }: ContactFields): void {
  if (!first_name && !last_name && !email) throw invalid('first_name, last_name or email is required');
}

async function storeTags(ctx: Context, { contact_id, tags }: CrmContact): Promise<void> {
  await ctx.db.remove(CrmContactTag, { contact_id });
  const keys = new Set(tags.map(normalised));
  await ctx.db.insertMany(
    CrmContactTag,
    [...keys].map((tag) => ({ contact_id, tag })),
  );
}

function taken(error: unknown): never {
  if (error instanceof DuplicateKey) throw duplicate('A contact with this email already exists');
  throw error;
}

function record(ctx: Context, action: 'create' | 'delete', contact: CrmContact, what: string): void {
  const description = `CRM contact ${nameOf(contact)} ${what}`;
  ctx.record({ action, entity_type: 'crm_contact', entity_id: contact.contact_id, description });
}
