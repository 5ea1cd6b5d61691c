import {
  admin,
  administrators,
  anyCredential,
  created,
  input,
  item,
  list,
  nothing,
  param,
  z,
  type Access,
  type Admin,
} from '@keelson/core';
import { languageInput, LanguageShape } from '@keelson/core/plugin';
import {
  availabilities,
  changeTechnicianLanguage,
  findTechnician,
  readTechnicianLanguage,
} from '@keelson/modules/directory';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import {
  addTechnician,
  changeTechnician,
  inviteAgain,
  readTechnicians,
  removeTechnician,
  setOwnStatus,
  showTechnician,
} from '../../technicians.ts';

const roles = ['administrator', 'technician'] as const;
/** A key has no settings of its own. */
const signedInTechnician: Access<Extract<Admin, { kind: 'technician' }>> = Object.freeze({
  title: 'technician session',
  allows: (actor: Admin) => actor.kind === 'technician',
  refusal: 'Only signed-in technicians can use this; API keys cannot',
});
const moment = z.iso.datetime();
const TechnicianShape = z.object({
  user_id: z.int(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  active: z.boolean(),
  status: z.enum(availabilities),
  /** The technician has not chosen a password yet. */
  invitation_pending: z.boolean(),
  last_activity_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
});
const person = { name: input.text(255), email: input.email() };

export default [
  admin.get('/technicians.php', {
    title: 'List the technicians',
    addition: true,
    access: ReadSettings,
    query: admin.paging({ search: param.search(), role: param.choice(roles, { all: true }), active: param.flag() }),
    returns: list(TechnicianShape),
    handle: (ctx, { query: { search, role, active, page, size } }) =>
      readTechnicians(ctx, { search, role, active, page, size }),
  }),
  admin.post('/technicians.php', {
    title: 'Invite a technician',
    addition: true,
    access: administrators(WriteSettings),
    body: z.object({ ...person, role: input.choice(roles).default('technician') }),
    returns: created(TechnicianShape),
    handle: (ctx, { body }) => addTechnician(ctx, body),
  }),
  admin.get('/technicians.php?id={id}', {
    title: 'Read a technician',
    addition: true,
    access: ReadSettings,
    returns: item(TechnicianShape),
    load: (ctx, { id }) => findTechnician(ctx, id),
    handle: (ctx, { item: technician }) => showTechnician(ctx, technician),
  }),
  admin.put('/technicians.php?id={id}', {
    title: 'Change a technician',
    addition: true,
    access: administrators(WriteSettings),
    body: input.changes({ ...person, role: input.choice(roles), active: input.flag() }),
    returns: item(TechnicianShape),
    load: (ctx, { id }) => findTechnician(ctx, id),
    handle: (ctx, { item: technician, body }) => changeTechnician(ctx, technician, body),
  }),
  admin.delete('/technicians.php?id={id}', {
    title: 'Delete a technician',
    addition: true,
    access: administrators(WriteSettings),
    returns: nothing(),
    load: (ctx, { id }) => findTechnician(ctx, id),
    handle: (ctx, { item: technician }) => removeTechnician(ctx, technician),
  }),
  admin.post('/technicians.php?action=invite&id={id}', {
    title: 'Resend a technician’s invitation',
    addition: true,
    access: administrators(WriteSettings),
    returns: item(TechnicianShape),
    load: (ctx, { id }) => findTechnician(ctx, id),
    handle: (ctx, { item: technician }) => inviteAgain(ctx, technician),
  }),
  admin.put('/technicians.php?action=status', {
    title: 'Set your status',
    addition: true,
    access: anyCredential,
    body: z.object({ status: input.choice(['available', 'busy']) }),
    returns: item(TechnicianShape),
    handle: (ctx, { body }) => setOwnStatus(ctx, body.status),
  }),
  admin.get('/technicians.php?action=language', {
    title: 'Read your language as a technician',
    addition: true,
    access: signedInTechnician,
    returns: item(LanguageShape),
    handle: (ctx) => readTechnicianLanguage(ctx, ctx.actor.user_id),
  }),
  admin.put('/technicians.php?action=language', {
    title: 'Set your language as a technician',
    addition: true,
    access: signedInTechnician,
    body: languageInput(),
    returns: item(LanguageShape),
    handle: (ctx, { body }) => changeTechnicianLanguage(ctx, ctx.actor.user_id, body),
  }),
];
