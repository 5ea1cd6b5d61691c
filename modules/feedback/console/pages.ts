import { consolePart } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { ReadTickets } from '@keelson/modules/tickets';

export default consolePart(import.meta.dirname, {
  panels: [
    { slot: 'ticket.side', title: 'Rating', file: 'rating-panel', access: ReadTickets, order: 20 },
    { slot: 'settings.card', title: 'Ratings', file: 'settings-card', access: ReadSettings, order: 10 },
  ],
  lists: [
    {
      path: '/satisfaction',
      title: 'Satisfaction',
      rows: 'figures',
      access: ReadTickets,
      nav: { section: 'knowledge', icon: 'thumbs-up', order: 41 },
      list: 'GET /feedback/satisfaction.php',
      id: 'key',
      columns: ['assigned_name', 'company_name', 'month', 'ratings', 'good', 'okay', 'bad', 'good_percent'],
      filters: ['group'],
      empty: 'Figures appear once requesters rate closed tickets.',
    },
    {
      path: '/ratings',
      title: 'Ratings',
      rows: 'ratings',
      access: ReadTickets,
      nav: { section: 'knowledge', icon: 'star', order: 42 },
      list: 'GET /feedback/ratings.php',
      id: 'rating_id',
      columns: ['score', 'comment', 'requester_name', 'company_name', 'assigned_name', 'rated_at'],
      filters: ['score'],
      open: '/tickets/:ticket_id',
      empty: 'Requesters rate their tickets with the links in the email about the closed ticket.',
    },
  ],
});
