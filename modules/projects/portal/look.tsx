// Status labels of milestones and punch-list items.
import { Badge, type Data, type Tone, t } from '@keelson/web';

export type Project = Data<'GET /projects/{project_id}'>;
export type Milestone = Project['milestones'][number];
export type PunchItem = Project['punch_list'][number];

/** States in which a manager decides: an open question need not be answered before. */
const undecided = ['pending_approval', 'info_requested'];

/** Returns whether a manager can decide on a milestone of a project. */
export const canBeDecided = ({ status }: Milestone, project: Pick<Project, 'status'>): boolean =>
  undecided.includes(status) && project.status !== 'cancelled';

const states: Readonly<Record<string, { readonly title: string; readonly tone: Tone }>> = {
  pending: { title: t('In progress'), tone: 'muted' },
  pending_approval: { title: t('Needs approval'), tone: 'warn' },
  approved: { title: t('Approved'), tone: 'ok' },
  rejected: { title: t('Rejected'), tone: 'danger' },
  info_requested: { title: t('Question asked'), tone: 'info' },
  open: { title: t('Open'), tone: 'info' },
  in_progress: { title: t('In progress'), tone: 'warn' },
  ready_for_review: { title: t('Ready for review'), tone: 'warn' },
  closed: { title: t('Done'), tone: 'ok' },
  planning: { title: t('Planned'), tone: 'muted' },
  active: { title: t('In progress'), tone: 'info' },
  on_hold: { title: t('On hold'), tone: 'muted' },
  completed: { title: t('Done'), tone: 'ok' },
  cancelled: { title: t('Cancelled'), tone: 'muted' },
};

export function State({ of }: { of: string }) {
  const { title, tone } = states[of] ?? { title: of, tone: 'muted' };
  return <Badge tone={tone}>{title}</Badge>;
}
