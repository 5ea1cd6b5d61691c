import { dropdown } from '@keelson/core';

export const LeadSources = dropdown('lead_sources', {
  title: 'Lead sources',
  items: [
    { value: 'website', label: 'Website' },
    { value: 'widget', label: 'Chat widget' },
    { value: 'referral', label: 'Referral' },
    { value: 'email', label: 'Email' },
    { value: 'phone', label: 'Phone' },
    { value: 'event', label: 'Event' },
    { value: 'advertising', label: 'Advertising' },
    { value: 'other', label: 'Other' },
  ],
});

/** The stages in the order an opportunity passes through them (C-13). */
export const PipelineStages = dropdown('pipeline_stages', {
  title: 'Pipeline stages',
  items: [
    { value: 'prospecting', label: 'Prospecting' },
    { value: 'qualification', label: 'Qualification' },
    { value: 'discovery', label: 'Discovery' },
    { value: 'proposal', label: 'Proposal' },
    { value: 'negotiation', label: 'Negotiation' },
    { value: 'closed_won', label: 'Closed won' },
    { value: 'closed_lost', label: 'Closed lost' },
  ],
});

export default [LeadSources, PipelineStages];
