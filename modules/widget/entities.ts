import { choice, flag, id, int, json, key, ref, table, text, when, type Row } from '@keelson/core';
import { ApiKey } from '@keelson/modules/accounts';
import { Reply } from './shapes.ts';

/** Chat of a website visitor (W-13, W-14). Its id is secret and stored as a hash. */
export const WidgetSession = table(
  'widget_session',
  {
    widget_session_id: id(),
    session_hash: key(64).unique(),
    /** The only key that can use the session. */
    key_id: ref(ApiKey),
    /** Started with a test key: excluded from statistics. */
    test: flag().default(false),
    visitor_id: text(100),
    page_url: text(2048).default(''),
    referrer: text(2048).default(''),
    status: choice('active', 'ended').default('active'),
    /** Chat with a person, once requested (W-26). */
    chat_id: int().nullable(),
    started_at: when(),
    last_active_at: when(),
    ended_at: when().nullable(),
  },
  [['last_active_at'], ['status', 'last_active_at']],
);
export type WidgetSession = Row<typeof WidgetSession>;

export const WidgetMessage = table(
  'widget_message',
  {
    widget_message_id: id(),
    widget_session_id: ref(WidgetSession),
    sender: choice('visitor', 'assistant'),
    message: text(),
    created_at: when(),
  },
  [['widget_session_id', 'widget_message_id'], ['created_at']],
);

/** Reply to a message that has an id, in English: a message sent again gets it instead of another (W-37). */
export const WidgetReply = table(
  'widget_reply',
  {
    widget_reply_id: id(),
    widget_session_id: ref(WidgetSession),
    message_id: key(64),
    reply: json(Reply),
    created_at: when(),
  },
  [['created_at']],
  { unique: [['widget_session_id', 'message_id']] },
);
