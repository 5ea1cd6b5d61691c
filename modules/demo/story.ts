// The shape of the demo's stories.

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
  /** How long ago it was created. */
  readonly hours_ago: number;
  readonly by: Who;
  readonly subject: string;
  readonly description: string;
  readonly job_type: string;
  readonly priority: number;
  /** Which of the two sites; the first when absent. */
  readonly site?: 0 | 1;
  /** Its status now. */
  readonly status: 'open' | 'in_progress' | 'on_hold' | 'closed';
  readonly worker?: Worker;
  /** The manager's decision on an employee's ticket; it is pending without one. `reason` is that of a rejection. */
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
  /** Modules that are switched off; all others are on. */
  readonly off: readonly string[];
  readonly tickets: readonly TicketStory[];
}
