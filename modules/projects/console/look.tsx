// States of projects and their parts, as the provider sees them.
import { Badge, type Data, type Tone, t } from '@keelson/web';

export const READ = 'GET /projects.php?id={id}';
export const UPDATE = 'PUT /projects.php?id={id}';
export type Project = Data<typeof READ>;
export type Phase = Project['phases'][number];
export type Milestone = Project['milestones'][number];
export type PunchItem = Project['punch_list'][number];

interface Look {
  readonly title: string;
  readonly tone: Tone;
}

export const projectStates: Readonly<Record<Project['status'], Look>> = {
  planning: { title: t('Planning'), tone: 'muted' },
  active: { title: t('Active'), tone: 'info' },
  on_hold: { title: t('On hold'), tone: 'warn' },
  completed: { title: t('Completed'), tone: 'ok' },
  cancelled: { title: t('Cancelled'), tone: 'muted' },
};

export const phaseStates: Readonly<Record<Phase['status'], Look>> = {
  pending: { title: t('Not started'), tone: 'muted' },
  active: { title: t('Active'), tone: 'info' },
  completed: { title: t('Completed'), tone: 'ok' },
};

export const milestoneStates: Readonly<Record<Milestone['status'], Look>> = {
  pending: { title: t('Open'), tone: 'muted' },
  pending_approval: { title: t('Waiting for approval'), tone: 'warn' },
  approved: { title: t('Approved'), tone: 'ok' },
  rejected: { title: t('Rejected'), tone: 'danger' },
  info_requested: { title: t('Question asked'), tone: 'info' },
};

export const itemStates: Readonly<Record<PunchItem['status'], Look>> = {
  open: { title: t('Open'), tone: 'muted' },
  in_progress: { title: t('In progress'), tone: 'info' },
  ready_for_review: { title: t('Ready for review'), tone: 'warn' },
  closed: { title: t('Closed'), tone: 'ok' },
};

export function State({ of: { title, tone } }: { of: Look }) {
  return <Badge tone={tone}>{title}</Badge>;
}

export const choicesOf = <S extends string>(states: Readonly<Record<S, Look>>) =>
  (Object.entries(states) as [S, Look][]).map(([value, { title }]) => ({ value, label: title }));
