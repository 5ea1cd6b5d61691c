// The leads, prospects and deals of the provider's sales team.
import type {
  ActivityType,
  LeadStatus,
  NewCustomField,
  NewLead,
  OpportunityStatus,
  ProspectStatus,
} from '@keelson/modules/crm';
import type { Worker } from './story.ts';

interface TaskStory {
  readonly type: ActivityType;
  readonly subject: string;
  /** Hours from now; negative and not done means overdue. */
  readonly due_in_hours?: number;
  readonly minutes?: number;
  readonly done?: boolean;
}

interface About {
  readonly days_ago: number;
  readonly by?: Worker;
  readonly tasks?: readonly TaskStory[];
  readonly note?: string;
}

export interface LeadStory extends About {
  readonly lead: NewLead;
  readonly status: LeadStatus;
  readonly score?: number;
  /** The value of the opportunity that a converted lead became. */
  readonly value?: number;
}

export interface ProspectStory extends About {
  readonly prospect: {
    readonly name: string;
    readonly industry: string;
    readonly city: string;
    readonly country: string;
    readonly phone: string;
    readonly website: string;
  };
  readonly status: ProspectStatus;
  readonly people?: readonly {
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly title: string;
    readonly tags: string[];
  }[];
  readonly deals?: readonly {
    readonly name: string;
    readonly value: number;
    readonly stage: string;
    readonly status?: OpportunityStatus;
    readonly lost_reason?: string;
    readonly close_in_days?: number;
  }[];
}

export const customFields: readonly NewCustomField[] = [
  { entity_type: 'lead', label: 'Seats', field_type: 'number' },
  {
    entity_type: 'lead',
    label: 'Timeline',
    field_type: 'select',
    options: ['Now', 'This quarter', 'This year', 'Unknown'],
  },
  { entity_type: 'prospect', label: 'Current provider', field_type: 'text', sort_order: 1 },
  { entity_type: 'opportunity', label: 'Contract months', field_type: 'number' },
];

const web = { source: 'website', form_type: 'contact' } as const;

export const leads: readonly LeadStory[] = [
  {
    days_ago: 0.1,
    status: 'new',
    lead: {
      ...web,
      first_name: 'Elena',
      last_name: 'Fischer',
      email: 'elena.fischer@fischer-optik.example',
      phone: '+49 40 555 0123',
      company_name: 'Fischer Optik',
      raw_payload: { message: 'We open a third shop in May and need network and tills.', newsletter: 'true' },
      custom_fields: { seats: 14, timeline: 'This quarter' },
    },
  },
  {
    days_ago: 0.8,
    status: 'new',
    lead: {
      ...web,
      first_name: 'Tom',
      last_name: 'Okafor',
      email: 'tom@okafor-legal.example',
      company_name: 'Okafor Legal',
      raw_payload: { message: 'Please call me about backup.' },
    },
  },
  {
    days_ago: 2,
    status: 'new',
    lead: {
      source: 'widget',
      first_name: 'Mia',
      phone: '+1 555 0188',
      raw_payload: { transcript: 'Do you support Macs?' },
    },
  },
  {
    days_ago: 5,
    status: 'contacted',
    by: 'administrator',
    score: 40,
    lead: {
      source: 'referral',
      first_name: 'Samir',
      last_name: 'Haddad',
      email: 'samir@haddad-bau.example',
      company_name: 'Haddad Bau',
      custom_fields: { seats: 22, timeline: 'This year' },
    },
    tasks: [
      { type: 'call', subject: 'First call', minutes: 15, done: true },
      { type: 'email', subject: 'Send the references he asked for', due_in_hours: 20 },
    ],
  },
  {
    days_ago: 9,
    status: 'contacted',
    by: 'technician',
    score: 25,
    lead: {
      source: 'event',
      first_name: 'Nora',
      last_name: 'Berg',
      email: 'nora.berg@kitawest.example',
      company_name: 'Kita West e. V.',
    },
    tasks: [{ type: 'call', subject: 'Call again after the holidays', due_in_hours: -30 }],
  },
  {
    days_ago: 12,
    status: 'qualified',
    by: 'administrator',
    score: 75,
    lead: {
      ...web,
      first_name: 'Paul',
      last_name: 'Lindqvist',
      email: 'paul@lindqvist-print.example',
      phone: '+46 8 555 01',
      company_name: 'Lindqvist Print',
      custom_fields: { seats: 60, timeline: 'Now' },
    },
    tasks: [{ type: 'meeting', subject: 'Walk through their server room', due_in_hours: 48, minutes: 120 }],
    note: 'Decides alone; wants one fixed price a month.',
  },
  {
    days_ago: 16,
    status: 'unqualified',
    by: 'technician',
    score: 5,
    lead: {
      source: 'advertising',
      first_name: 'Rick',
      last_name: 'Stone',
      email: 'rick@gameservers.example',
      company_name: 'Stone Gaming',
    },
    note: 'Looks for cheap game servers, nothing for us.',
  },
  {
    days_ago: 20,
    status: 'converted',
    by: 'administrator',
    score: 90,
    value: 18_500,
    lead: {
      source: 'referral',
      first_name: 'Julia',
      last_name: 'Sander',
      email: 'j.sander@sander-pharma.example',
      phone: '+49 30 555 099',
      company_name: 'Sander Pharma',
      custom_fields: { seats: 110, timeline: 'This quarter' },
    },
    tasks: [{ type: 'meeting', subject: 'Introduction at their office', minutes: 90, done: true }],
  },
];

export const prospects: readonly ProspectStory[] = [
  {
    days_ago: 34,
    by: 'administrator',
    status: 'active',
    prospect: {
      name: 'Alder & Finch Architects',
      industry: 'Professional Services',
      city: 'Bristol',
      country: 'United Kingdom',
      phone: '+44 117 555 0110',
      website: 'https://alderfinch.example',
    },
    people: [
      {
        first_name: 'Harriet',
        last_name: 'Alder',
        email: 'harriet@alderfinch.example',
        title: 'Partner',
        tags: ['Decision maker'],
      },
      {
        first_name: 'Leo',
        last_name: 'Finch',
        email: 'leo@alderfinch.example',
        title: 'Office manager',
        tags: ['Day to day', 'Newsletter'],
      },
    ],
    deals: [
      { name: 'Managed workplaces, 35 seats', value: 31_500, stage: 'proposal', close_in_days: 21 },
      { name: 'Wi-Fi for the studio', value: 4_280.5, stage: 'closed_won', status: 'won' },
    ],
    tasks: [{ type: 'task', subject: 'Send the revised offer', due_in_hours: 5 }],
    note: 'Their lease ends in autumn: plan the move with them.',
  },
  {
    days_ago: 27,
    by: 'technician',
    status: 'active',
    prospect: {
      name: 'Coastline Clinics',
      industry: 'Healthcare',
      city: 'Kiel',
      country: 'Germany',
      phone: '+49 431 555 020',
      website: 'https://coastline-clinics.example',
    },
    people: [
      {
        first_name: 'Amir',
        last_name: 'Rahimi',
        email: 'a.rahimi@coastline-clinics.example',
        title: 'Head of IT',
        tags: ['Technical'],
      },
    ],
    deals: [
      { name: 'Backup and restore tests', value: 12_900, stage: 'negotiation', close_in_days: 10 },
      { name: 'Firewalls at four sites', value: 22_000, stage: 'qualification', close_in_days: 60 },
    ],
    tasks: [{ type: 'call', subject: 'Ask for the signed data-processing agreement', due_in_hours: -6 }],
  },
  {
    days_ago: 50,
    status: 'inactive',
    prospect: {
      name: 'Marlow Freight',
      industry: 'Transport and Logistics',
      city: 'Rotterdam',
      country: 'Netherlands',
      phone: '+31 10 555 07',
      website: 'https://marlow.example',
    },
    deals: [
      {
        name: 'Service desk for the night shift',
        value: 9_600,
        stage: 'discovery',
        status: 'lost',
        lost_reason: 'Stays with the present provider',
      },
    ],
    note: 'Contract elsewhere until next year: ask again in spring.',
  },
];
