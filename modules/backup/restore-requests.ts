// Restore requests (F-47): each creates a ticket and follows its status (BK-03, M-30).
import {
  by,
  change,
  changeAll,
  create,
  In,
  invalid,
  record,
  restrict,
  searched,
  view,
  z,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { documentTexts } from '@keelson/core/files';
import { cutTo, explained } from '@keelson/core/kit';
import { referSlot } from '@keelson/core/plugin';
import type { MembersOf } from '@keelson/core/record';
import { readsAssets } from '@keelson/modules/assets';
import { CompanyNames, EmployeeNames } from '@keelson/modules/directory';
import {
  createTicket,
  KnownAssets,
  livingTickets,
  lockSurvivor,
  priorityLabels,
  readMergedInto,
  readMergesInto,
  Ticket,
  type TicketWrite,
} from '@keelson/modules/tickets';
import { BackupRecord, RestoreRequest } from './entities.ts';
import { visibleRequests } from './visible.ts';

export const Requests = record(RestoreRequest, {
  title: 'Restore request',
  call: ({ request_id }) => request_id,
  filters: (its) => ({
    company_number: its.is('company_number'),
    status: its.is('status'),
    search: searched(RestoreRequest),
  }),
  sorts: { created_at: by('created_at') },
});

const more = (its: MembersOf<typeof RestoreRequest>) => ({
  // Null once the ticket is deleted (T-23).
  ticket_id: its.lookup(z.int().nullable(), 'ticket_id', livingTickets, null),
  priority: its.from(z.int().meta({ 'x-labels': priorityLabels }), ['priority'], (row) => row.priority),
  requested_by: its.name(EmployeeNames, 'employee_number'),
});

/** A restore request with its company (F-47). */
export const RequestItem = view(Requests, {
  except: ['employee_number', 'priority', 'ticket_id'],
  more: (its) => ({
    ...more(its),
    company_name: its.name(CompanyNames, 'company_number'),
  }),
});

/** A restore request as the caller may see it (Z-21). */
export const PortalRequest = restrict(
  view(Requests, {
    except: ['employee_number', 'company_number', 'priority', 'ticket_id'],
    more,
  }),
  visibleRequests,
);

export interface NewRequest {
  readonly description: string;
  readonly backup_id?: number | null | undefined;
  readonly asset_id?: number | null | undefined;
  readonly items?: readonly string[] | undefined;
  readonly restore_point?: string | null | undefined;
  readonly destination?: string | null | undefined;
  readonly priority?: number | undefined;
}

const USUAL_PRIORITY = 3;

/** Creates a restore request with its ticket (BK-03). @throws invalid() naming a backup or asset of another company */
export async function requestRestore(ctx: Context<EmployeeActor>, given: NewRequest): Promise<RestoreRequest> {
  const { company_number, employee_number, site_number: usual_site_number } = ctx.actor;
  const { priority = USUAL_PRIORITY, items = [], ...rest } = given;
  if (rest.asset_id && !readsAssets.allows(ctx.actor)) throw invalid('asset_id must be an asset of the company');
  const backup = rest.backup_id
    ? await ctx.db.findOne(BackupRecord, {
        where: { backup_id: rest.backup_id, company_number },
        lock: { mode: 'pessimistic_write' },
      })
    : null;
  if (rest.backup_id && !backup) throw invalid('backup_id must be a backup of the company');
  const asset_id = rest.asset_id ?? (await knownAsset(ctx, backup));
  const ticket = await createTicket(ctx, {
    company_number,
    employee_number,
    usual_site_number,
    subject: subjectOf(given),
    description: textOf(ctx.app, { ...given, items }, backup),
    job_type: 'Backup Restore',
    priority,
    source: 'restore',
    asset_ids: asset_id === null ? [] : [asset_id],
  });
  return create(ctx, Requests, {
    ...rest,
    asset_id,
    company_number,
    employee_number,
    items: [...items],
    priority,
    ticket_id: ticket.ticket_id,
  });
}

/** Returns the asset of a backup, unless it is deleted or assets are switched off. */
async function knownAsset(ctx: Context, backup: BackupRecord | null): Promise<number | null> {
  if (!backup?.asset_id) return null;
  const assetOf = await referSlot(ctx, KnownAssets, [backup.asset_id]);
  return assetOf(backup.asset_id) && backup.asset_id;
}

/**
 * Sets the status of a ticket's requests (M-30): its own and those of tickets merged into it. Reads the ticket's row, so
 * that a late event changes nothing.
 */
export async function followTicket(ctx: Context, ticket_id: number): Promise<void> {
  const merges = await readMergesInto(ctx, [ticket_id]);
  const its = In([ticket_id, ...merges.map((each) => each.ticket_id)]);
  const where = { ticket_id: its };
  const requests = await ctx.db.find(RestoreRequest, { where, lock: { mode: 'pessimistic_write' } });
  const ticket = requests.length > 0 ? await ctx.db.findOneBy(Ticket, { ticket_id }) : null;
  if (!ticket) return;
  const followed = await lockSurvivor(ctx, ticket);
  // Its deletion has decided on the requests.
  const isDeleted = followed.deleted_at !== null || (followed === ticket && (await readMergedInto(ctx, ticket_id)));
  if (!isDeleted) await changeAll(ctx, Requests, requests, { status: statusFor(followed) });
}

/**
 * Ends the open requests of deleted tickets, and of tickets merged into them: nothing else would. Rejects them unless
 * the ticket was closed.
 */
export async function endOfDeleted(ctx: Context, writes: readonly TicketWrite[]): Promise<void> {
  const deleted = new Map(
    writes.flatMap(({ before, after }) => (before && !after ? [[before.ticket_id, before] as const] : [])),
  );
  if (deleted.size === 0) return;
  const merges = await readMergesInto(ctx, [...deleted.keys()]);
  const into = new Map(merges.map(({ ticket_id, into_id }) => [ticket_id, into_id]));
  const where = { ticket_id: In([...deleted.keys(), ...into.keys()]), status: In(['pending', 'in_progress'] as const) };
  for (const each of await ctx.db.find(RestoreRequest, { where, lock: { mode: 'pessimistic_write' } })) {
    const id = each.ticket_id ?? 0;
    const ticket = deleted.get(into.get(id) ?? id);
    // The request of a merged ticket follows the other one, which is still there.
    if (!ticket || (await lockSurvivor(ctx, ticket)) !== ticket) continue;
    if (ticket.status === 'closed') await change(ctx, Requests, each, { status: statusFor(ticket) });
    else {
      const rejected_because = [null, explained('The ticket was deleted.')] as const;
      await change(ctx, Requests, each, { status: 'rejected' }, { extra: { rejected_because } });
    }
  }
}

function statusFor({ status, approval_status }: Pick<Ticket, 'status' | 'approval_status'>): RestoreRequest['status'] {
  if (status === 'open') return 'pending';
  if (status !== 'closed') return 'in_progress';
  return approval_status === 'rejected' ? 'rejected' : 'completed';
}

/** Returns the first line of the description, truncated. */
function subjectOf({ description }: NewRequest): string {
  const [line = ''] = description.split('\n');
  return cutTo(`Restore: ${line}`, 255).trim();
}

type Told = NewRequest & { readonly items: readonly string[] };

function textOf({ zone }: Context['app'], given: Told, backup: BackupRecord | null): string {
  const { description, items, restore_point, destination } = given;
  const texts = documentTexts(zone.name);
  const when = (at: string) => texts.of(at, 'moment').replaceAll('\u00a0', ' ');
  const facts = [
    ...(items.length > 0 ? [`Items:\n${items.map((each) => `- ${each}`).join('\n')}`] : []),
    ...(restore_point ? [`Restore point: ${when(restore_point)}`] : []),
    ...(destination ? [`Restore to: ${destination}`] : []),
    ...(backup ? [`Backup ${backup.backup_id}: ${backup.machine_name}, ${when(backup.started_at)}`] : []),
  ];
  return [description, ...facts].join('\n\n');
}
