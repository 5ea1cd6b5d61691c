import { choice, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

/** Which records technicians have open. A row expires 40 seconds after its last renewal. */
export const Presence = table(
  'presence',
  {
    presence_id: id(),
    user_id: ref(Technician),
    /** The name of the record's table. */
    type: key(64),
    record_id: int(),
    doing: choice('viewing', 'writing'),
    seen_at: when(),
  },
  [['type', 'record_id', 'seen_at'], ['seen_at']],
  { unique: [['user_id', 'type', 'record_id']] },
);
export type Presence = Row<typeof Presence>;

/** The filters of a list, as in its URL. */
export const ViewQuery = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** A saved list view: filters, sort, columns. */
export const SavedView = table(
  'saved_view',
  {
    view_id: id(),
    user_id: ref(Technician),
    title: text(100),
    title_key: key(100).hidden(),
    /** The list it belongs to: `tickets`. */
    list: key(64),
    query: json(ViewQuery),
    sort: text(64).default(''),
    order: choice('asc', 'desc').nullable(),
    columns: json(z.array(z.string())),
    /** Visible to all technicians. */
    shared: flag().default(false),
    created_at: when(),
    updated_at: when(),
  },
  [
    ['user_id', 'list'],
    ['shared', 'list'],
  ],
  { unique: [['user_id', 'list', 'title_key']] },
);
export type SavedView = Row<typeof SavedView>;

export const themes = ['system', 'light', 'dark'] as const;
export const densities = ['compact', 'comfortable'] as const;

/**
 * What a technician is mailed about: nothing, assignments to them and customers' replies on their tickets (`own`), or
 * also new tickets without an assignee and mails that wait for review
 * (`unassigned`).
 */
export const mailChoices = ['none', 'own', 'unassigned'] as const;

/** A technician's console preferences. */
export const PreferenceValues = z.object({
  theme: z.enum(themes),
  density: z.enum(densities),
  /** Single-letter shortcuts; users of speech input turn them off. */
  single_keys: z.boolean(),
  /** The columns of lists, by list. */
  columns: z.record(z.string(), z.array(z.string())),
  /** Custom shortcuts, by command; an empty one disables the shortcut. */
  keys: z.record(z.string(), z.string()),
  /** Pinned pages, records and views, in order: paths below the console. */
  pins: z.array(z.object({ path: z.string(), title: z.string() })),
  mails: z.enum(mailChoices),
});

export const Preference = table('preference', {
  user_id: ref(Technician).primary(),
  values: json(PreferenceValues),
  updated_at: when(),
});
export type Preference = Row<typeof Preference>;

/** Time that a technician spends on a ticket, until it becomes a time entry. */
export const Timer = table(
  'timer',
  {
    timer_id: id(),
    user_id: ref(Technician),
    ticket_id: ref(Ticket),
    /** The technician while it runs; its unique index allows only one running timer each. */
    running_of: int().nullable().unique().hidden(),
    /** Start of the current run; null while paused. */
    started_at: when().nullable(),
    /** Seconds counted in earlier runs. */
    seconds: int().default(0),
    created_at: when(),
  },
  [['ticket_id']],
  { unique: [['user_id', 'ticket_id']] },
);
export type Timer = Row<typeof Timer>;

/** A saved reply of a technician. */
export const ReplyTemplate = table(
  'reply_template',
  {
    template_id: id(),
    user_id: ref(Technician),
    title: text(100),
    title_key: key(100).hidden(),
    text: text(),
    /** Visible to all technicians. */
    shared: flag().default(false),
    created_at: when(),
    updated_at: when(),
  },
  [['shared']],
  { unique: [['user_id', 'title_key']] },
);
export type ReplyTemplate = Row<typeof ReplyTemplate>;

export const notificationKinds = [
  'assigned',
  'answered',
  'decided',
  'mentioned',
  'replied',
  'noted',
  'moved',
  'sla_warned',
  'sla_breached',
  'rated',
  'answered_absent',
  'task',
  'escalated',
  'appointment_moved',
  'appointment_declined',
  'mail_held',
] as const;

/** A notification for a technician. */
export const Notification = table(
  'notification',
  {
    notification_id: id(),
    user_id: ref(Technician).hidden(),
    kind: choice(...notificationKinds),
    /** The record: the name of its table, and its id. */
    type: key(64),
    record_id: int(),
    title: text(300),
    /** The person who caused it. */
    by_name: text(255),
    created_at: when(),
    read_at: when().nullable(),
  },
  [['user_id', 'notification_id'], ['user_id', 'read_at'], ['created_at']],
);
export type Notification = Row<typeof Notification>;
