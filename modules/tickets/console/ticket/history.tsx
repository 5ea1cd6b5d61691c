// What changed in a ticket, with old and new values: in the conversation and in the history.
import { date, Explained, Icon, minutes, plainText, rich, RecordName, Time, words, type Data, t } from '@keelson/web';
import { useTeams, useTechnicians } from './change.tsx';
import { priorities, type Priority } from './look.tsx';

export const READ = 'GET /tickets.php?action=history&id={id}';
export type Line = Data<typeof READ>[number];

const titles: Readonly<Partial<Record<string, string>>> = {
  assigned_to: t('Assignee'),
  job_type: t('Category'),
  requester_employee_number: t('Requester'),
  site_number: t('Site'),
  asset_ids: t('Assets'),
  approval_status: t('Approval'),
  due_date: t('Due date'),
  team_id: t('Team'),
  parent_id: t('Parent'),
  start_date: t('Start date'),
  estimate_minutes: t('Estimate'),
};

/** Fields omitted from the history: derived from another change, or too long for a line. */
const UNTOLD = new Set(['closed_at', 'description', 'merged', 'merged_into', 'duration_minutes']);

type Told = readonly [field: string, values: readonly unknown[]];

const toldIn = (changes: Line['changes']): Told[] => Object.entries(changes).filter(([field]) => !UNTOLD.has(field));

/** Returns true if a history entry appears in the conversation: a field change, not a comment or time entry. */
export const isActivity = ({ action, changes }: Line): boolean => action === 'update' && toldIn(changes).length > 0;

/** A ticket change within the conversation. */
export function ActivityLine({ line }: { line: Line }) {
  return (
    <div className="worked activity">
      <Icon name="history" size={14} />
      <b>{line.user}</b>
      {toldIn(line.changes).map((each) => (
        <span key={each[0]}>
          · <OneChange change={each} />
        </span>
      ))}
      <Time at={line.created_at} />
    </div>
  );
}

function OneChange({ change: [field, [before, after]] }: { change: Told }) {
  if (field === 'watchers')
    return (
      <>
        <span className="tone-muted">{before === null ? t('added watcher') : t('removed watcher')}</span>{' '}
        {plainText(before ?? after)}
      </>
    );
  if (field === 'assigned_because')
    return (
      <span className="tone-muted">{rich('assigned {after}', { after: <Explained text={plainText(after)} /> })}</span>
    );
  if (isList(before) || isList(after))
    return <ListChange field={field} before={itemsOf(before)} after={itemsOf(after)} />;
  const values = {
    field: titleOf(field),
    before: <Shown field={field} value={before} />,
    after: <Shown field={field} value={after} />,
  };
  if (field === 'assigned_to') {
    if (isEmpty(after)) return rich('Unassigned (was {before})', values);
    return isEmpty(before)
      ? rich('Assigned to {after}', values)
      : rich('Assignee changed from {before} to {after}', values);
  }
  if (isEmpty(after)) return rich('{field} removed (was {before})', values);
  return isEmpty(before)
    ? rich('{field} set to {after}', values)
    : rich('{field} changed from {before} to {after}', values);
}

const titleOf = (field: string): string => titles[field] ?? words(field);
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const itemsOf = (value: unknown): readonly unknown[] => (isList(value) ? value : []);

/** For lists, show what was added and removed instead of repeating the rest. */
function ListChange({
  field,
  before,
  after,
}: {
  field: string;
  before: readonly unknown[];
  after: readonly unknown[];
}) {
  const added = after.filter((each) => !before.includes(each));
  const removed = before.filter((each) => !after.includes(each));
  const values = { field: titleOf(field) };
  return (
    <>
      {added.length > 0 &&
        rich('{field} added: {values}', { ...values, values: <Shown field={field} value={added} /> })}
      {added.length > 0 && removed.length > 0 && ' · '}
      {removed.length > 0 &&
        rich('{field} removed: {values}', { ...values, values: <Shown field={field} value={removed} /> })}
    </>
  );
}

function TeamName({ id }: { id: number }) {
  return useTeams().find((each: { team_id: number }) => each.team_id === id)?.name ?? t('a deleted team');
}

export function Changes({ changes }: Pick<Line, 'changes'>) {
  const told = toldIn(changes);
  if (told.length === 0) return null;
  return (
    <ul>
      {told.map((each) => (
        <li key={each[0]}>
          <OneChange change={each} />
        </li>
      ))}
    </ul>
  );
}

function Shown({ field, value }: { field: string; value: unknown }) {
  const technicians = useTechnicians();
  if (Array.isArray(value)) {
    if (field === 'tags') return value.join(', ');
    return value.map((each: number, index) => (
      <span key={each}>
        {index > 0 && ', '}
        <RecordName type="asset" id={each} />
      </span>
    ));
  }
  const id = Number(value);
  if (field === 'assigned_to')
    return technicians.find((each: { user_id: number }) => each.user_id === id)?.name ?? t('a former technician');
  if (field === 'team_id') return <TeamName id={id} />;
  if (field === 'requester_employee_number') return <RecordName type="contact" id={id} />;
  if (field === 'site_number') return <RecordName type="site" id={id} />;
  if (field === 'priority') return priorities[id as Priority] ?? t('Priority {number}', { number: id });
  if (field === 'parent_id') return <RecordName type="ticket" id={id} />;
  if (field === 'estimate_minutes') return minutes(id);
  if (field === 'due_date' || field === 'start_date') return date(plainText(value));
  const text = plainText(value);
  return field === 'status' || field === 'approval_status' ? words(text) : text;
}
