import { reportSource } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { RatingItem } from './ratings.ts';

export default [
  reportSource('admin', 'ratings', {
    title: 'Ratings',
    access: ReadTickets,
    view: RatingItem,
    fields: {
      rating_id: 'Rating ID',
      ticket_id: 'Ticket ID',
      company_number: 'Company number',
      company_name: 'Company',
      requester_name: 'Requester',
      assigned_to: 'Technician number',
      assigned_name: 'Assignee',
      score: 'Rating',
      comment: 'Comment',
      rated_at: 'Rated',
    },
  }),
];
