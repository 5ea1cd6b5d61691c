import { choice, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

/** Who has which record open. A row that nobody has renewed for 40 seconds means nothing any more. */
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

/** The filters of a list as its address has them. */
export const ViewQuery = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** A list as somebody wants to see it again: filters, sort, columns. */
export const SavedView = table(
  'saved_view',
  {
    view_id: id(),
    user_id: ref(Technician),
    title: text(100),
    title_key: key(100).hidden(),
    /** Whose list it is: `tickets`. */
    list: key(64),
    query: json(ViewQuery),
    sort: text(64).default(''),
    order: choice('asc', 'desc').nullable(),
    columns: json(z.array(z.string())),
    /** For all technicians. */
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

/** How a technician likes the console. */
export const PreferenceValues = z.object({
  theme: z.enum(themes),
  density: z.enum(densities),
  /** Single letters as keys; those who speak to their computer switch them off. */
  single_keys: z.boolean(),
  /** The columns of lists, by list. */
  columns: z.record(z.string(), z.array(z.string())),
  /** Keys of commands that are not the usual ones, by command; an empty one switches the key off. */
  keys: z.record(z.string(), z.string()),
});

export const Preference = table('preference', {
  user_id: ref(Technician).primary(),
  values: json(PreferenceValues),
  updated_at: when(),
});

/** Time that a technician spends on a ticket, until it becomes a time entry. */
export const Timer = table(
  'timer',
  {
    timer_id: id(),
    user_id: ref(Technician),
    ticket_id: ref(Ticket),
    /** The technician while it runs: the database lets nobody have two that do. */
    running_of: int().nullable().unique().hidden(),
    /** Since when it runs; null while it is paused. */
    started_at: when().nullable(),
    /** Counted before that. */
    seconds: int().default(0),
    created_at: when(),
  },
  [['ticket_id']],
  { unique: [['user_id', 'ticket_id']] },
);
export type Timer = Row<typeof Timer>;

/** What a technician says often. */
export const ReplyTemplate = table(
  'reply_template',
  {
    template_id: id(),
    user_id: ref(Technician),
    title: text(100),
    title_key: key(100).hidden(),
    text: text(),
    /** For all technicians. */
    shared: flag().default(false),
    created_at: when(),
    updated_at: when(),
  },
  [['shared']],
  { unique: [['user_id', 'title_key']] },
);
export type ReplyTemplate = Row<typeof ReplyTemplate>;

export const notificationKinds = ['assigned', 'answered', 'decided', 'mentioned'] as const;

/** Something that a technician should know, and may have missed. */
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
    /** Who did it. */
    by_name: text(255),
    created_at: when(),
    read_at: when().nullable(),
  },
  [['user_id', 'notification_id'], ['user_id', 'read_at'], ['created_at']],
);
export type Notification = Row<typeof Notification>;
