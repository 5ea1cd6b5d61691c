// Status labels of milestones and punch-list items.
import { Badge, type Data, type Tone } from '@keelson/web';

export type Project = Data<'GET /projects/{project_id}'>;
export type Milestone = Project['milestones'][number];
export type PunchItem = Project['punch_list'][number];

const states: Readonly<Record<string, { readonly title: string; readonly tone: Tone }>> = {
  pending: { title: 'In progress', tone: 'muted' },
  pending_approval: { title: 'Needs approval', tone: 'warn' },
  approved: { title: 'Approved', tone: 'ok' },
  rejected: { title: 'Rejected', tone: 'danger' },
  info_requested: { title: 'Question asked', tone: 'info' },
  open: { title: 'Open', tone: 'info' },
  in_progress: { title: 'In progress', tone: 'warn' },
  ready_for_review: { title: 'Ready for review', tone: 'warn' },
  closed: { title: 'Done', tone: 'ok' },
  planning: { title: 'Planned', tone: 'muted' },
  active: { title: 'In progress', tone: 'info' },
  on_hold: { title: 'On hold', tone: 'muted' },
  completed: { title: 'Done', tone: 'ok' },
  cancelled: { title: 'Cancelled', tone: 'muted' },
};

export function State({ of }: { of: string }) {
  const { title, tone } = states[of] ?? { title: of, tone: 'muted' };
  return <Badge tone={tone}>{title}</Badge>;
}
