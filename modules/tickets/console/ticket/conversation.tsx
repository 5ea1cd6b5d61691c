// Timeline of comments, notes, time entries and changes in chronological order.
import {
  Avatar,
  call,
  confirm,
  Explained,
  Icon,
  inputTime,
  minutes,
  queries,
  Slot,
  stale,
  Time,
  toastError,
  useItem,
  useSession,
  t,
  words,
} from '@keelson/web';
import { useState } from 'react';
import type { Ticket } from './change.tsx';
import { Files } from './files.tsx';
import { ActivityLine, isActivity, READ as HISTORY, type Line } from './history.tsx';
import { useWaiting } from './send-reply.tsx';

type Comment = Ticket['comments'][number];
type Entry = Ticket['time_entries'][number];

/** Maximum changes shown; the history has the rest. */
const MOST_CHANGES = 100;

export function Conversation({ ticket }: { ticket: Ticket }) {
  const { person } = useSession();
  const waiting = useWaiting(ticket.ticket_id);
  const history = useItem(HISTORY, { id: ticket.ticket_id, per_page: MOST_CHANGES }).data ?? [];
  const parts = [
    ...ticket.comments.map((each: Comment) => ({
      at: each.created_at,
      key: `c${each.comment_id}`,
      body: <Said comment={each} ticket={ticket} />,
    })),
    ...ticket.time_entries.map((each: Entry) => ({
      at: each.created_at,
      key: `t${each.time_entry_id}`,
      body: <Worked entry={each} ticket={ticket} />,
    })),
    ...history.filter(isActivity).map((each: Line) => ({
      at: each.created_at,
      key: `h${each.log_id}`,
      body: <ActivityLine line={each} />,
    })),
  ].toSorted((a, b) => a.at.localeCompare(b.at) || a.key.localeCompare(b.key));
  return (
    <ol className="conversation" aria-label={t('Conversation')}>
      {ticket.description && (
        <li className="said">
          <Avatar name={ticket.requester_name} tone="warm" />
          <div>
            <Head
              name={ticket.requester_name ?? t('Customer')}
              by={t('via {source}', { source: words(ticket.source ?? 'portal') })}
              at={ticket.created_at}
            />
            <p className="text">{ticket.description}</p>
            <Slot name="ticket.message" ticket={ticket} />
          </div>
        </li>
      )}
      {parts.map(({ key, body }) => (
        <li key={key}>{body}</li>
      ))}
      {waiting.map((each, index) => (
        <li key={`w${index}`} className="said" data-note={each.is_internal || undefined} aria-busy>
          <Avatar name={person.name} tone="accent" />
          <div>
            <div className="said-head">
              <b>{person.name}</b>
              <small>{t('sending')}</small>
            </div>
            <p className="text">{each.comment}</p>
          </div>
        </li>
      ))}
      <li>
        <Files ticket={ticket} />
      </li>
      <li>
        <Slot name="ticket.timeline" ticket={ticket} />
      </li>
    </ol>
  );
}

function Head({ name, by, at, note = false }: { name: string; by?: string; at: string; note?: boolean }) {
  return (
    <div className="said-head">
      <b>{name}</b>
      {note && (
        <span className="note-mark">
          <Icon name="lock" size={14} /> {t('Internal note')}
        </span>
      )}
      {by && <small>{by}</small>}
      <Time at={at} />
    </div>
  );
}

const OWN_FOR_MS = 10 * 60_000;

function Said({ comment, ticket }: { comment: Comment; ticket: Ticket }) {
  const { person } = useSession();
  const [editing, setEditing] = useState(false);
  const customer = comment.author_type === 'employee';
  const own =
    comment.is_internal &&
    comment.author_name === person.name &&
    Date.now() - new Date(comment.created_at).getTime() < OWN_FOR_MS;
  const change = async (text: string | undefined) => {
    const args = { id: ticket.ticket_id, comment_id: comment.comment_id };
    try {
      if (text === undefined) await call('DELETE /tickets.php?action=comments&id={id}&comment_id={comment_id}', args);
      else
        await call('PUT /tickets.php?action=comments&id={id}&comment_id={comment_id}', {
          ...args,
          body: { comment: text },
        });
      setEditing(false);
    } catch (error) {
      toastError(error);
    }
    await stale(queries, ['/tickets.php']);
  };
  return (
    <div className="said" data-note={comment.is_internal || undefined}>
      <Avatar name={comment.author_name} tone={customer ? 'warm' : 'accent'} />
      <div>
        <Head name={comment.author_name} at={comment.created_at} note={comment.is_internal} />
        {editing ? (
          <NoteEditor text={comment.comment} onSave={(text) => void change(text)} onCancel={() => setEditing(false)} />
        ) : (
          <p className="text">
            {comment.author_type === 'system' ? <Explained text={comment.comment} /> : comment.comment}
          </p>
        )}
        <Slot name="ticket.message" ticket={ticket} comment={comment} />
        {own && !editing && (
          <div className="said-acts">
            <button type="button" onClick={() => setEditing(true)}>
              {t('Edit')}
            </button>
            <button type="button" onClick={() => void change(undefined)}>
              {t('Delete')}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

function NoteEditor({
  text,
  onSave,
  onCancel,
}: {
  text: string;
  onSave: (text: string) => void;
  onCancel: () => void;
}) {
  const [value, setValue] = useState(text);
  return (
    <div>
      <textarea
        className="input"
        rows={4}
        aria-label={t('Internal note')}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        autoFocus
      />
      <div className="said-acts">
        <button type="button" onClick={() => onSave(value)}>
          {t('Save')}
        </button>
        <button type="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </div>
    </div>
  );
}

function Worked({ entry, ticket }: { entry: Entry; ticket: Ticket }) {
  const { person } = useSession();
  const [editing, setEditing] = useState(false);
  const mayChange = entry.user_id === person.id || person.role === 'administrator';
  const correction = entry.corrects_id !== null;
  const others = ticket.time_entries.filter((each: Entry) => each.corrects_id === entry.time_entry_id);
  const worked = others.reduce((sum: number, each: Entry) => sum + each.duration_minutes, entry.duration_minutes);
  const args = { id: ticket.ticket_id, time_entry_id: entry.time_entry_id };
  const follow = async (done: Promise<unknown>) => {
    await done.then(() => setEditing(false), toastError);
    await stale(queries, ['/tickets.php']);
  };
  if (editing)
    return (
      <TimeEditor
        entry={{ ...entry, duration_minutes: worked }}
        onSave={({ billable, ...body }) =>
          void follow(
            entry.billed
              ? call('POST /tickets.php?action=time-corrections&id={id}&time_entry_id={time_entry_id}', {
                  ...args,
                  body,
                })
              : call('PUT /tickets.php?action=time-entries&id={id}&time_entry_id={time_entry_id}', {
                  ...args,
                  body: { ...body, billable },
                }),
          )
        }
        onCancel={() => setEditing(false)}
      />
    );
  const remove = async () => {
    const words = {
      title: t('Delete time entry?'),
      text: minutes(entry.duration_minutes),
      act: t('Delete'),
      danger: true,
    };
    if (!(await confirm(words))) return;
    await follow(call('DELETE /tickets.php?action=time-entries&id={id}&time_entry_id={time_entry_id}', args));
  };
  return (
    <div className="worked">
      <Icon name="clock" size={14} />
      <b>{minutes(entry.duration_minutes)}</b>
      <span className="tone-muted">
        {entry.user_name}
        {entry.description && ` · ${entry.description}`}
        {!entry.billable && t(' · not billable')}
        {correction && t(' · correction of billed time')}
        {entry.billed && t(' · billed')}
      </span>
      <Time at={inputTime(entry.created_at)?.startsWith(entry.work_date) ? entry.created_at : entry.work_date} />
      {mayChange && (
        <span className="said-acts">
          {!correction && (
            <button type="button" onClick={() => setEditing(true)}>
              {entry.billed ? t('Correct') : t('Edit')}
            </button>
          )}
          {!entry.billed && (
            <button type="button" onClick={() => void remove()}>
              {t('Delete')}
            </button>
          )}
        </span>
      )}
    </div>
  );
}

interface TimeChange {
  readonly duration_minutes: number;
  readonly description: string;
  readonly billable: boolean;
}

function TimeEditor({
  entry,
  onSave,
  onCancel,
}: {
  entry: Entry;
  onSave: (change: TimeChange) => void;
  onCancel: () => void;
}) {
  const [value, setValue] = useState<TimeChange>({
    duration_minutes: entry.duration_minutes,
    // For a correction, this is the reason.
    description: entry.billed ? '' : entry.description,
    billable: entry.billable,
  });
  return (
    <form
      className="worked"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(value);
      }}
    >
      <input
        className="input"
        type="number"
        min={entry.billed ? 0 : 1}
        max={1440}
        aria-label={t('Minutes')}
        value={value.duration_minutes}
        onChange={(event) => setValue({ ...value, duration_minutes: Number(event.target.value) })}
        autoFocus
      />
      <input
        className="input"
        aria-label={entry.billed ? t('Why') : t('Work done')}
        placeholder={entry.billed ? t('Reason for correction') : undefined}
        value={value.description}
        onChange={(event) => setValue({ ...value, description: event.target.value })}
      />
      {!entry.billed && (
        <label>
          <input
            type="checkbox"
            checked={value.billable}
            onChange={(event) => setValue({ ...value, billable: event.target.checked })}
          />{' '}
          {t('Billable')}
        </label>
      )}
      <span className="said-acts">
        <button type="submit">{t('Save')}</button>
        <button type="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </span>
    </form>
  );
}
