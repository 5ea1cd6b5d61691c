// Validates a workflow definition on save (WF-08), so that errors do not surface later.
import { In, invalid, IsNull, z, type Context } from '@keelson/core';
import { dictionary, type Dictionary } from '@keelson/core/kit';
import { readSlot } from '@keelson/core/plugin';
import { templateProblem } from '@keelson/core/system';
import { Company, Technician } from '@keelson/modules/directory';
import { KnownTeams } from '@keelson/modules/tickets';
import type { Workflow } from '../entities.ts';
import { pluginActionFaults, textsOfPluginAction } from '../plans/plugin-actions.ts';
import { declaredEvent, entityOf, subjectOf, triggerEvents } from '../runs/facts.ts';
import type { Action, Condition } from './fields.ts';
import { addedFields } from './plugin-fields.ts';

export type Definition = Pick<Workflow, 'trigger_type' | 'event' | 'every_minutes' | 'conditions' | 'actions'>;

/** Fields of the record by name; undefined if the event's module is missing, in which case any name is accepted. */
type Fields = Dictionary<z.ZodType> | undefined;

/** Validates a definition. @throws invalid() listing all errors in the order of the body (E-02) */
export async function checkDefinition(ctx: Context, definition: Definition): Promise<void> {
  const { trigger_type, event, conditions, actions } = definition;
  const events = triggerEvents(ctx.app);
  if (trigger_type === 'event' && !events.includes(event ?? ''))
    throw invalid(`trigger.event must be one of: ${events.join(', ')}`);
  const subject = subjectOf(definition);
  const fields = subject === null ? dictionary<z.ZodType>([]) : fieldsOf(ctx, subject);
  const faults = [
    ...conditions.flatMap((each, i) =>
      conditionFaults(definition, fields, each).map((fault) => `conditions[${i}]${fault}`),
    ),
    ...actions.flatMap((each, i) => actionFaults(ctx, subject, fields, each).map((fault) => `actions[${i}]${fault}`)),
    ...(await referenceFaults(ctx, actions)),
  ];
  if (faults.length > 0) throw invalid(faults.join('; '));
}

function fieldsOf(ctx: Context, event: string): Fields {
  const shape = declaredEvent(ctx.app, event)?.shape;
  return shape instanceof z.ZodObject
    ? dictionary([...Object.entries<z.ZodType>(shape.shape), ...addedFields(ctx.app, shape)])
    : undefined;
}

function conditionFaults(
  { trigger_type }: Definition,
  fields: Fields,
  { field, operator, value }: Condition,
): string[] {
  if (trigger_type === 'schedule') return [' cannot be used: a schedule has no record'];
  const shape = fields?.[field];
  if (fields && !shape) return [`.field must be one of: ${Object.keys(fields).join(', ')}`];
  if (operator === 'changed' && trigger_type !== 'event') return ['.operator changed requires an event trigger'];
  const type = shape ?? Anything;
  switch (operator) {
    case 'empty':
    case 'changed':
      return value === undefined || value === null || typeof value === 'boolean'
        ? []
        : ['.value must be true or false'];
    case 'in':
      if (!Array.isArray(value) || value.length === 0 || value.length > 100)
        return ['.value must be a list of 1 to 100 values'];
      return value.every((each) => fits(type, each)) ? [] : [`.value must contain valid values for ${field}`];
    case 'contains':
      if (!accepts(type, 'any text')) return [`.operator contains requires a text field; ${field} is not one`];
      return typeof value === 'string' && value !== '' ? [] : ['.value must be text'];
    case 'gt':
    case 'lt':
      if (!accepts(type, 1) && !isMoment(type))
        return [`.operator ${operator} requires a number or time field; ${field} is not one`];
      return fits(type, value) && value !== null ? [] : [`.value must be a valid value for ${field}`];
    case 'eq':
    case 'ne':
      return value !== undefined && fits(type, value) ? [] : [`.value must be a valid value for ${field}`];
  }
}

const Anything = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]);
const accepts = (shape: z.ZodType, value: unknown): boolean => shape.safeParse(value).success;
const isMoment = (shape: z.ZodType): boolean => accepts(shape, '2026-03-02T09:00:00Z') && !accepts(shape, 'any text');

function fits(shape: z.ZodType, value: unknown): boolean {
  return (typeof value !== 'string' || value.length <= 1000) && accepts(shape, value);
}

const ofTicket: readonly string[] = ['set_status', 'set_priority', 'set_team', 'assign', 'add_comment', 'create_child'];

function actionFaults(ctx: Context, subject: string | null, fields: Fields, action: Action): string[] {
  const about = subject ?? 'a schedule';
  const has = (field: string) => fields !== undefined && Object.hasOwn(fields, field);
  const texts = textsOf(action).flatMap(([field, text]) => {
    const problem = templateProblem(text, fields && knownNames(subject, fields));
    return problem === undefined ? [] : [`.${field} ${problem}`];
  });
  const lacks = (what: string) => `.type ${action.type} requires a ${what}, which ${about} does not have`;
  if (ofTicket.includes(action.type) && !has('ticket_id')) return [lacks('ticket'), ...texts];
  switch (action.type) {
    case 'create_ticket':
      return action.company_number === undefined && !has('company_number')
        ? ['.company_number is required', ...texts]
        : texts;
    case 'send_email': {
      const { to, user_id } = action;
      const inTicket = to === 'requester' || to === 'assignee';
      if (inTicket && !has('ticket_id')) return [`.to ${to} requires a ticket, which ${about} does not have`, ...texts];
      if (to === 'company' && !has('company_number'))
        return [`.to company requires a company, which ${about} does not have`, ...texts];
      return to === 'technician' && user_id === undefined ? ['.user_id is required', ...texts] : texts;
    }
    case 'call_webhook': {
      const problem = ctx.app.egress.check(action.url);
      return problem === undefined ? [] : [problem.replace(/^The URL/, '.url')];
    }
    case 'plugin_action':
      return [...pluginActionFaults(ctx, action, (field) => fields === undefined || has(field)), ...texts];
    case 'add_comment':
    case 'assign':
    case 'create_child':
    case 'set_priority':
    case 'set_status':
    case 'set_team':
      return texts;
  }
}

/** Returns the texts of an action that may contain placeholders. */
function textsOf(action: Action): (readonly [field: string, text: string])[] {
  switch (action.type) {
    case 'add_comment':
      return [['comment', action.comment]];
    case 'create_child':
    case 'create_ticket':
      return [
        ['subject', action.subject],
        ['description', action.description ?? ''],
      ];
    case 'send_email':
      return [
        ['subject', action.subject],
        ['body', action.body],
      ];
    case 'plugin_action':
      return textsOfPluginAction(action);
    case 'assign':
    case 'call_webhook':
    case 'set_priority':
    case 'set_status':
    case 'set_team':
      return [];
  }
}

function knownNames(subject: string | null, fields: NonNullable<Fields>): ReadonlySet<string> {
  const entity = entityOf(subject ?? '');
  const ofRecord = Object.keys(fields).map((each) => `${entity}.${each}`);
  return new Set(['today', 'workflow.name', 'workflow.workflow_id', ...ofRecord]);
}

/** Returns errors for missing companies and teams, and inactive technicians (V-21, V-22), one statement for each. */
async function referenceFaults(ctx: Context, actions: readonly Action[]): Promise<string[]> {
  const named = actions.flatMap((action, i) => {
    if (action.type === 'assign') return technician(i, 'assigned_to', action.assigned_to);
    if (action.type === 'send_email' && action.to === 'technician') return technician(i, 'user_id', action.user_id);
    if (action.type === 'set_team') return team(i, action.team_id);
    if (action.type !== 'create_ticket' && action.type !== 'create_child') return [];
    const { assigned_to, team_id } = action;
    const company_number = action.type === 'create_ticket' ? action.company_number : undefined;
    return [...technician(i, 'assigned_to', assigned_to), ...company(i, company_number), ...team(i, team_id)];
  });
  const ids = (what: Reference['what']) => named.filter((each) => each.what === what).map((each) => each.id);
  const [people, companies, teams] = [ids('technician'), ids('company'), ids('team')];
  const teamOf = await readSlot(ctx, KnownTeams, teams);
  const found = {
    technician:
      people.length > 0
        ? await ctx.db.findBy(Technician, { user_id: In(people), active: true, deleted_at: IsNull() })
        : [],
    company:
      companies.length > 0 ? await ctx.db.findBy(Company, { company_number: In(companies), deleted_at: IsNull() }) : [],
  };
  const known = {
    technician: new Set(found.technician.map((each) => each.user_id)),
    company: new Set(found.company.map((each) => each.company_number)),
    team: new Set(teams.filter((each) => teamOf(each)?.deleted === false)),
  };
  return named.filter(({ what, id }) => !known[what].has(id)).map(({ what, at }) => `${at} must be ${wanted[what]}`);
}

const wanted = {
  technician: 'an active technician',
  company: 'an existing company',
  team: 'an existing team',
} as const;

interface Reference {
  readonly what: keyof typeof wanted;
  readonly at: string;
  readonly id: number;
}

function technician(i: number, field: string, id: number | null | undefined): Reference[] {
  return id ? [{ what: 'technician', at: `actions[${i}].${field}`, id }] : [];
}

function company(i: number, id: number | undefined): Reference[] {
  return id ? [{ what: 'company', at: `actions[${i}].company_number`, id }] : [];
}

function team(i: number, id: number | null | undefined): Reference[] {
  return id ? [{ what: 'team', at: `actions[${i}].team_id`, id }] : [];
}
