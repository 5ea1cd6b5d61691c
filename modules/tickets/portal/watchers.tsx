// Colleagues who follow a ticket.
import { Button, IconButton, Section, useChange, useItem, useRested, useSession, type Data, t } from '@keelson/web';
import { useId, useState } from 'react';

type Ticket = Data<'GET /tickets/{id}'>;
type Watcher = Ticket['watchers'][number];

export interface Colleague {
  readonly employee_number: number;
  readonly label: string;
}

export function Watchers({ ticket }: { ticket: Ticket }) {
  const { ticket_id: id, watchers, can_add_watchers: mayAdd } = ticket;
  const { person } = useSession();
  const [open, setOpen] = useState(false);
  const touches = ['/tickets'];
  const add = useChange('POST /tickets/{id}/watchers', { touches, done: () => setOpen(false) });
  const remove = useChange('DELETE /tickets/{id}/watchers/{watcher_id}', { touches });
  if (watchers.length === 0 && !mayAdd) return null;
  return (
    <Section
      title={t('Watchers')}
      act={mayAdd && !open && <IconButton icon="plus" label={t('Add colleague')} onClick={() => setOpen(true)} />}
    >
      <ul className="watchers">
        {watchers.map(({ watcher_id, employee_number, name }: Watcher) => (
          <li key={watcher_id}>
            {name}
            {(mayAdd || employee_number === person.id) && (
              <IconButton
                icon="x"
                label={t('Remove {name}', { name })}
                onClick={() => remove.mutate({ id, watcher_id })}
              />
            )}
          </li>
        ))}
      </ul>
      {watchers.length === 0 && !open && (
        <p className="tone-muted">{t('Add colleagues who should receive the replies.')}</p>
      )}
      {open && (
        <>
          <FindColleague
            label={t('Colleague')}
            not={watchers.map((each: Watcher) => each.employee_number)}
            onChoose={({ employee_number }) => add.mutate({ id, body: { employee_number } })}
          />
          <Button look="quiet" onClick={() => setOpen(false)}>
            {t('Cancel')}
          </Button>
        </>
      )}
    </Section>
  );
}

/** Field of the new-ticket form for colleagues who follow the ticket. */
export function WatchersField({
  chosen,
  onChange,
}: {
  chosen: readonly Colleague[];
  onChange: (chosen: readonly Colleague[]) => void;
}) {
  return (
    <div className="field">
      <FindColleague
        label={t('Add watchers')}
        optional
        not={chosen.map((each) => each.employee_number)}
        onChoose={(added) => onChange([...chosen, added])}
      />
      {chosen.length > 0 && (
        <ul className="watchers">
          {chosen.map((each) => (
            <li key={each.employee_number}>
              {each.label}
              <IconButton
                icon="x"
                label={t('Remove {label}', { label: each.label })}
                onClick={() => onChange(chosen.filter((other) => other !== each))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FindProps {
  readonly label: string;
  readonly optional?: boolean;
  /** People to exclude. */
  readonly not: readonly number[];
  readonly onChoose: (colleague: Colleague) => void;
}

function FindColleague({ label, optional = false, not, onChoose }: FindProps) {
  const id = useId();
  const { person } = useSession();
  const [text, setText] = useState('');
  const search = useRested(text.trim(), 200);
  const { data } = useItem('GET /employees/options', { search, per_page: 8 }, { enabled: search !== '' });
  const hits: readonly Colleague[] = search === '' ? [] : (data?.options ?? []);
  const offered = hits.filter((each) => each.employee_number !== person.id && !not.includes(each.employee_number));
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {optional && <span className="optional"> {t('optional')}</span>}
      </label>
      <input
        id={id}
        className="input"
        autoComplete="off"
        placeholder={t('Name of a colleague')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ul className="watchers-found">
        {offered.map((each) => (
          <li key={each.employee_number}>
            <Button
              look="quiet"
              icon="plus"
              onClick={() => {
                setText('');
                onChoose(each);
              }}
            >
              {each.label}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
