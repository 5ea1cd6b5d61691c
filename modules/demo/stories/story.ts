// The types of the demo's stories.

export type Who = 'it_admin' | 'manager' | 'employee' | 'colleague' | 'administrator' | 'technician';
export type Worker = 'administrator' | 'technician';

export interface PersonStory {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly title: string;
  readonly department: string;
  readonly phone: string;
}

export interface SiteStory {
  readonly site_name: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
  readonly phone: string;
}

export interface TicketStory {
  /** Age of the ticket, in hours. */
  readonly hours_ago: number;
  readonly by: Who;
  readonly subject: string;
  readonly description: string;
  readonly job_type: string;
  readonly priority: number;
  /** Index of one of the two sites; defaults to the first. */
  readonly site?: 0 | 1;
  /** Its current status. */
  readonly status: 'open' | 'in_progress' | 'on_hold' | 'closed';
  readonly worker?: Worker;
  /** Days until it is due; negative when it is overdue. */
  readonly due_in_days?: number;
  readonly tags?: readonly string[];
  readonly watchers?: readonly Who[];
  /** The manager's decision on an employee's ticket, pending if absent. `reason` explains a rejection. */
  readonly decision?: { readonly approved: boolean; readonly reason?: string };
  readonly comments?: readonly { readonly by: Who; readonly text: string; readonly internal?: boolean }[];
  readonly time?: readonly { readonly minutes: number; readonly what: string; readonly billable?: boolean }[];
}

export interface Story {
  readonly company: {
    readonly customer: string;
    readonly address: string;
    readonly city: string;
    readonly state: string;
    readonly zip: string;
    readonly country: string;
    readonly phone: string;
    readonly email: string;
    readonly website: string;
    readonly industry: string;
    readonly notes: string;
  };
  readonly sites: readonly [SiteStory, SiteStory];
  readonly people: Readonly<Record<'it_admin' | 'manager' | 'employee' | 'colleague', PersonStory>>;
  readonly group: { readonly name: string; readonly code: string; readonly description: string };
  /** Disabled modules; all others are enabled. */
  readonly off: readonly string[];
  readonly tickets: readonly TicketStory[];
}
