// Ticket history: who changed what, with old and new values.
import { Bones, date, Failed, Icon, moment, plainText, RecordName, useItem, words, type Data } from '@keelson/web';
import { useTechnicians } from './change.tsx';
import { priorities, type Priority } from './look.tsx';

const READ = 'GET /tickets.php?action=history&id={id}';
type Line = Data<typeof READ>[number];

const titles: Readonly<Partial<Record<string, string>>> = {
  assigned_to: 'Assignee',
  job_type: 'Category',
  requester_employee_number: 'Requester',
  site_number: 'Site',
  asset_ids: 'Assets',
  approval_status: 'Approval',
  due_date: 'Due date',
};

/** Fields omitted from the history: derived from another change, or too long for a line. */
const UNTOLD = new Set(['closed_at', 'description', 'merged_into', 'duration_minutes']);

export function History({ id }: { id: number }) {
  const { data, error, refetch } = useItem(READ, { id });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Bones />;
  return (
    <ol className="history">
      {data.map((each) => (
        <li key={each.log_id}>
          <time className="tone-muted">{moment(each.created_at)}</time>
          <b>{each.user}</b>
          <div>
            {each.description}
            {each.action === 'update' && <Changes changes={each.changes} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Changes({ changes }: Pick<Line, 'changes'>) {
  const told = Object.entries(changes).filter(([field]) => !UNTOLD.has(field));
  if (told.length === 0) return null;
  return (
    <ul>
      {told.map(([field, [before, after]]) => (
        <li key={field}>
          <span className="tone-muted">{titles[field] ?? words(field)}:</span> <Shown field={field} value={before} />{' '}
          <Icon name="arrow-right" size={14} />
          <span className="hidden"> became </span> <Shown field={field} value={after} />
        </li>
      ))}
    </ul>
  );
}

function Shown({ field, value }: { field: string; value: unknown }) {
  const technicians = useTechnicians();
  if (value === null || value === undefined || value === '') return <span className="tone-muted">nothing</span>;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="tone-muted">nothing</span>;
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
    return technicians.find((each: { user_id: number }) => each.user_id === id)?.name ?? 'a former technician';
  if (field === 'requester_employee_number') return <RecordName type="contact" id={id} />;
  if (field === 'site_number') return <RecordName type="site" id={id} />;
  if (field === 'priority') return priorities[id as Priority] ?? `Priority ${id}`;
  if (field === 'due_date') return date(plainText(value));
  const text = plainText(value);
  return field === 'status' || field === 'approval_status' ? words(text) : text;
}
