import { z } from '@keelson/core';
import { chatStatuses, MessageItem } from '@keelson/modules/chat';

const success = z.literal(true);

export const Started = z.object({
  success,
  session_id: z.string(),
  visitor_id: z.string(),
  greeting: z.string(),
  branding: z.object({ company_name: z.string(), primary_color: z.string(), logo_url: z.string() }),
});

export const Reply = z.object({
  response: z.object({ message: z.string(), suggested_actions: z.array(z.string()) }),
  /** A person has taken over: read their messages with /widget/messages. */
  handed_over: z.literal(true).optional(),
});
export type Reply = z.infer<typeof Reply>;

export const Exchange = z.object({ success, ...Reply.shape });

export const Ended = z.object({ success, session_id: z.string(), status: z.literal('ended') });

/** Conversation with a person. */
export const Conversation = z.object({
  success,
  status: z.enum(chatStatuses),
  messages: z.array(MessageItem.shape),
});

/** Service status (F-84). */
export const ServiceState = z.object({
  success,
  status: z.enum(['operating_normally', 'maintenance', 'outage']),
  online: z.boolean(),
  message: z.string(),
});
