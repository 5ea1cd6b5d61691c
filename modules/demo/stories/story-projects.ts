// Two projects of the demo's first customer: an office move in progress, and a server migration waiting for a decision.
import type { Who } from './story.ts';

export interface MoveStory {
  readonly days_ago: number;
  readonly by: Extract<Who, 'manager' | 'employee' | 'technician'>;
  readonly does: 'submit' | 'approve' | 'reject' | 'ask';
  readonly says: string;
}

export interface MilestoneStory {
  readonly name: string;
  readonly description: string;
  /** Relative to today. */
  readonly due_in_days: number;
  /** In minor units. */
  readonly amount?: number;
  readonly moves?: readonly MoveStory[];
}

export interface ItemStory {
  readonly days_ago: number;
  readonly description: string;
  readonly location: string;
  readonly priority: 'low' | 'medium' | 'high';
  /** The provider's progress. */
  readonly steps?: readonly ('in_progress' | 'ready_for_review')[];
  readonly feedback?: string;
  readonly answer?: { readonly response: string; readonly status?: 'accepted' | 'rejected' };
}

export interface ProjectStory {
  readonly name: string;
  readonly description: string;
  readonly notes: string;
  readonly started_days_ago: number;
  readonly due_in_days: number;
  readonly phases: readonly { readonly name: string; readonly milestones: readonly MilestoneStory[] }[];
  readonly items?: readonly ItemStory[];
}

const officeMove: ProjectStory = {
  name: 'Move of the Lakeside practice',
  description:
    'Lakeside moves into the new building at 12 Harbour Way. It must be able to treat patients on the first Monday.',
  notes: 'Fixed price. The electrician is theirs: do not promise dates for the sockets.',
  started_days_ago: 38,
  due_in_days: 18,
  phases: [
    {
      name: 'Planning',
      milestones: [
        {
          name: 'Network plan and list of devices',
          description: 'Where each socket, access point and device will be, floor by floor.',
          due_in_days: -26,
          amount: 1_200_000,
          moves: [
            { days_ago: 29, by: 'technician', does: 'submit', says: 'Plan and list are in the shared folder.' },
            {
              days_ago: 28,
              by: 'manager',
              does: 'reject',
              says: 'Treatment room 3 needs two more sockets by the window.',
            },
            { days_ago: 27, by: 'technician', does: 'submit', says: 'Two sockets added by the window.' },
            { days_ago: 26, by: 'manager', does: 'approve', says: 'Now it fits.' },
          ],
        },
      ],
    },
    {
      name: 'Building',
      milestones: [
        {
          name: 'Cabling measured',
          description: 'All 42 sockets are wired and measured; the report is attached to the plan.',
          due_in_days: -9,
          amount: 6_400_000,
          moves: [
            { days_ago: 10, by: 'technician', does: 'submit', says: 'All 42 passed, the report is in the folder.' },
            { days_ago: 9, by: 'manager', does: 'approve', says: '' },
          ],
        },
        {
          name: 'Internet line and Wi-Fi',
          description: 'The fibre line is up, and every room has at least −65 dBm.',
          due_in_days: -2,
          amount: 3_100_000,
        },
      ],
    },
    {
      name: 'Weekend of the move',
      milestones: [
        {
          name: 'First Monday',
          description: 'Reception, X-ray and all five treatment rooms work; we are on site from 6:30.',
          due_in_days: 18,
          amount: 2_800_000,
        },
      ],
    },
  ],
  items: [
    {
      days_ago: 7,
      description: 'The cover of the socket behind the reception desk is broken',
      location: 'Reception',
      priority: 'low',
      steps: ['in_progress', 'ready_for_review'],
      feedback: 'Replaced on Tuesday.',
      answer: { response: 'Looks good.', status: 'accepted' },
    },
    {
      days_ago: 5,
      description: 'The access point in the waiting room blinks orange',
      location: 'Waiting room',
      priority: 'high',
      steps: ['in_progress', 'ready_for_review'],
      feedback: 'It had the wrong power supply. It has been green since this morning.',
    },
    { days_ago: 2, description: 'No socket for the card reader', location: 'Reception', priority: 'medium' },
  ],
};

const serverMigration: ProjectStory = {
  name: 'Practice server into the data centre',
  description:
    'The practice server in the cellar is eight years old. Patient records move to two servers in the data centre.',
  notes: 'Margin 18 %. The licence of the X-ray viewer is bound to the old board: ask DentaView first.',
  started_days_ago: 20,
  due_in_days: 45,
  phases: [
    {
      name: 'Preparation',
      milestones: [
        {
          name: 'Inventory and restore test',
          description: 'What runs on the server, and a restore of last night’s backup onto a test machine.',
          due_in_days: -8,
          amount: 900_000,
          moves: [
            {
              days_ago: 9,
              by: 'technician',
              does: 'submit',
              says: 'Restored in 3 h 40 min; the protocol is attached.',
            },
            { days_ago: 8, by: 'manager', does: 'approve', says: 'Good to know that it works.' },
          ],
        },
        {
          name: 'Servers in the data centre',
          description: 'Two servers, installed, patched and monitored.',
          due_in_days: 3,
          amount: 14_500_000,
          moves: [
            { days_ago: 3, by: 'technician', does: 'submit', says: 'Both are up and have run since Monday.' },
            { days_ago: 2, by: 'employee', does: 'ask', says: 'Does the label printer still work with them?' },
            { days_ago: 1, by: 'technician', does: 'submit', says: 'Yes, it was tested with twenty labels.' },
          ],
        },
      ],
    },
    {
      name: 'Migration',
      milestones: [
        {
          name: 'Patient records moved',
          description: 'On a Saturday; the old server stays switched on, read-only, for four weeks.',
          due_in_days: 30,
          amount: 5_200_000,
        },
      ],
    },
  ],
};

export default [officeMove, serverMigration];
