// Report source: number of chats, and waiting times.
import { reportSource } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { ChatItem } from './chats/chat-list.ts';

export default [
  reportSource('admin', 'chats', {
    title: 'Chats',
    access: ReadTickets,
    view: ChatItem,
    fields: {
      chat_id: 'Chat ID',
      source: 'Source',
      company_number: 'Company number',
      company_name: 'Company',
      person_name: 'Person',
      status: 'Status',
      topic: 'Topic',
      agent_name: 'Technician',
      messages: 'Messages',
      waited_seconds: 'Waiting time (seconds)',
      started_at: 'Started',
      requested_at: 'Person requested',
      answered_at: 'Answered',
      ended_at: 'Ended',
    },
  }),
];
