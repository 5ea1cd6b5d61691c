import { choice, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Company, Employee, Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';

/** The other party: a customer's employee, or a website visitor. */
export const chatSources = ['employee', 'website'] as const;
/** Chat statuses (M-19). */
export const chatStatuses = ['active', 'waiting_agent', 'with_agent', 'ended'] as const;
export const senderTypes = ['user', 'assistant', 'agent', 'system'] as const;
export type SenderType = (typeof senderTypes)[number];

/** A conversation. Website chats are stored here once the visitor requests a person (W-26). */
export const Chat = table(
  'chat',
  {
    chat_id: id(),
    source: choice(...chatSources),
    /** Company and employee are null for visitors. */
    company_number: ref(Company).nullable(),
    employee_number: ref(Employee).nullable(),
    /** The person's name. */
    person_name: text(255),
    /** The web page the visitor came from. */
    page_url: text(2048).default(''),
    status: choice(...chatStatuses).default('active'),
    /** The beginning of the person's first message. */
    topic: text(80).default(''),
    ticket_id: ref(Ticket).nullable(),
    /** The last comment of the ticket that was copied (W-08). */
    seen_comment_id: int().default(0).hidden(),
    /** The technician who has accepted the chat. */
    agent_id: ref(Technician).nullable(),
    messages: int().default(0),
    /** Each message is later than the previous one, even within a millisecond (W-25). */
    last_message_at: when().nullable().hidden(),
    started_at: when(),
    /** When a person was requested. */
    requested_at: when().nullable(),
    /** When a person first answered. */
    answered_at: when().nullable(),
    /** Seconds between the two. */
    waited_seconds: int().nullable(),
    last_active_at: when(),
    ended_at: when().nullable(),
  },
  [
    ['employee_number', 'status', 'last_active_at'],
    ['company_number', 'started_at', 'chat_id'],
    ['status', 'requested_at', 'chat_id'],
    ['status', 'last_active_at'],
    ['ended_at'],
    ['started_at', 'chat_id'],
    ['ticket_id'],
  ],
);
export type Chat = Row<typeof Chat>;

export const ChatMessage = table(
  'chat_message',
  {
    message_id: id(),
    chat_id: ref(Chat),
    sender_type: choice(...senderTypes),
    /** Empty for system messages. */
    sender_name: text(255).default(''),
    message: text(),
    /** The matching comment of the ticket. Each becomes a message only once (W-08). */
    comment_id: int().nullable().unique().hidden(),
    /** When a job takes over the pending answer; until then, the request works on it. Null once answered. */
    answer_due_at: when().nullable().hidden(),
    created_at: when(),
  },
  [['chat_id', 'created_at', 'message_id'], ['answer_due_at']],
);
export type ChatMessage = Row<typeof ChatMessage>;
