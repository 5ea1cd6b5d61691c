// Punch list in the console: items are added and advanced in place.
import {
  Button,
  ComboField,
  EditableFact,
  Facts,
  Line,
  Lines,
  TextField,
  texts,
  Time,
  toast,
  useChange,
  useItem,
  t,
  words,
} from '@keelson/web';
import { useState } from 'react';
import { AddLine } from './add-line.tsx';
import { save, touches } from './changes.tsx';
import { itemStates, State, type Project, type PunchItem } from './look.tsx';

const UPDATE = 'PUT /projects.php?action=punch-list&id={id}&item_id={item_id}';

/** The next status of an item, and its verb. */
const steps: Readonly<
  Partial<Record<PunchItem['status'], { readonly title: string; readonly to: PunchItem['status'] }>>
> = {
  open: { title: t('Start'), to: 'in_progress' },
  in_progress: { title: t('Mark ready'), to: 'ready_for_review' },
  ready_for_review: { title: t('Close'), to: 'closed' },
};

export function PunchList({ project, writes }: { project: Project; writes: boolean }) {
  const { project_id: id, punch_list } = project;
  const [all, setAll] = useState(false);
  const open = punch_list.filter((each) => each.status !== 'closed');
  const closed = punch_list.length - open.length;
  const shown = all ? punch_list : open;
  return (
    <>
      <Lines
        title={t('{count} open', { count: open.length })}
        act={
          closed > 0 && (
            <Button size="small" onClick={() => setAll(!all)}>
              {all ? t('Hide closed') : t('Show {closed} closed', { closed })}
            </Button>
          )
        }
      >
        {shown.map((each) => (
          <Item key={each.item_id} id={id} item={each} writes={writes} />
        ))}
        {shown.length === 0 && <li className="none">{t('No open items.')}</li>}
      </Lines>
      {writes && (
        <AddLine
          label={t('Add item')}
          onAdd={(description) => save('POST /projects.php?action=punch-list&id={id}', { id, body: { description } })}
        />
      )}
    </>
  );
}

function Item({ id, item, writes }: { id: number; item: PunchItem; writes: boolean }) {
  const { item_id, title, description, status, priority } = item;
  const update = useChange(UPDATE, { touches });
  const next = steps[status];
  const changes = writes && status !== 'closed';
  const saveText = (name: 'assigned_to' | 'feedback') => (given: FormData) =>
    save(UPDATE, { id, item_id, body: { [name]: texts(given, name)[name] || null } });
  return (
    <Line
      title={title}
      about={[
        item.location,
        priority !== 'medium' && t('Priority: {priority}', { priority: words(priority) }),
        item.submitted_by,
        <Time key="at" at={item.created_at} />,
      ]}
      end={
        <>
          <State of={itemStates[status]} />
          {writes && next && (
            <Button
              size="small"
              disabled={update.isPending}
              onClick={() =>
                update.mutate(
                  { id, item_id, body: { status: next.to } },
                  { onSuccess: () => toast(`${itemStates[next.to].title}: ${title}`) },
                )
              }
            >
              {next.title}
              <span className="hidden"> {title}</span>
            </Button>
          )}
        </>
      }
    >
      {description !== title && <p className="line-text">{description}</p>}
      {item.responses.map((said: PunchItem['responses'][number]) => (
        <p key={said.response_id} className="line-text">
          <b>{said.author_name}</b> {said.response}
        </p>
      ))}
      <Facts>
        <EditableFact
          name={t('Assignee')}
          field={changes && <AssigneeField value={item.assigned_to} />}
          onSave={saveText('assigned_to')}
        >
          {item.assigned_to}
        </EditableFact>
        <EditableFact
          name={t('Feedback')}
          field={
            changes && <TextField name="feedback" label={t('Feedback')} value={item.feedback} max={5000} lines={2} />
          }
          onSave={saveText('feedback')}
        >
          {item.feedback}
        </EditableFact>
      </Facts>
    </Line>
  );
}

/** One of the technicians. Integrations may name someone else, who stays. */
function AssigneeField({ value }: { value: string | null }) {
  const names = (useItem('GET /tech-status.php').data ?? []).map(({ name }: { name: string }) => name);
  const choices = value === null || names.includes(value) ? names : [value, ...names];
  return (
    <ComboField
      name="assigned_to"
      label={t('Assignee')}
      value={value}
      choices={choices.map((name: string) => ({ value: name, label: name }))}
    />
  );
}
