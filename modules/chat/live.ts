import { liveRecord, signedIn } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { ownChats } from './chats/visible.ts';
import { Chat } from './entities.ts';

// A message counts as a change of its chat.
export default [liveRecord(Chat, { admin: ReadTickets, helpdesk: { access: signedIn, visible: ownChats } })];
