import { Avatar, Button, Line, Lines, useChange, useItem, t } from '@keelson/web';
import { useState } from 'react';

interface Person {
  readonly employee_number: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}

const touches = ['/managers'];
const nameOf = ({ first_name, last_name }: Person) => `${first_name} ${last_name}`;

interface Props {
  readonly code: string;
  readonly role: 'managers' | 'members';
  readonly title: string;
  readonly people: readonly Person[];
}

export function GroupPeople({ code, role, title, people }: Props) {
  const [adding, setAdding] = useState(false);
  const removeManager = useChange('DELETE /managers/{code}/managers/{employee_id}', { touches });
  const removeMember = useChange('DELETE /managers/{code}/members/{employee_id}', { touches });
  const remove = role === 'managers' ? removeManager : removeMember;
  return (
    <Lines
      title={title}
      act={
        <Button size="small" icon={adding ? 'check' : 'plus'} onClick={() => setAdding(!adding)}>
          {adding ? t('Done') : t('Add')}
          <span className="hidden"> {t('to: {title}', { title })}</span>
        </Button>
      }
    >
      {people.map((each) => (
        <Line
          key={each.employee_number}
          start={<Avatar name={nameOf(each)} />}
          title={nameOf(each)}
          to={`/people/${each.employee_number}`}
          about={[each.email]}
          end={
            <Button size="small" onClick={() => remove.mutate({ code, employee_id: each.employee_number })}>
              {t('Remove')}
              <span className="hidden"> {nameOf(each)}</span>
            </Button>
          }
        />
      ))}
      {people.length === 0 && <li className="none">{t('No one yet.')}</li>}
      {adding && (
        <li className="group-adding">
          <Available code={code} role={role} taken={people} />
        </li>
      )}
    </Lines>
  );
}

function Available({ code, role, taken }: { code: string; role: Props['role']; taken: readonly Person[] }) {
  const [search, setSearch] = useState('');
  const { data } = useItem('GET /managers/{code}/available-employees', { code, limit: 20, ...(search && { search }) });
  const addManager = useChange('POST /managers/{code}/managers', { touches });
  const addMember = useChange('POST /managers/{code}/members', { touches });
  const add = role === 'managers' ? addManager : addMember;
  const people: readonly Person[] = (data?.employees ?? []).filter(
    (each: Person) => !taken.some(({ employee_number }) => employee_number === each.employee_number),
  );
  return (
    <>
      <input
        className="input"
        aria-label={t('Search people')}
        placeholder={t('Search people')}
        value={search}
        maxLength={200}
        onChange={(event) => setSearch(event.target.value)}
        autoFocus
      />
      <ul>
        {people.map((each) => (
          <li key={each.employee_number}>
            <span>
              {nameOf(each)} <span className="tone-muted">{each.email}</span>
            </span>
            <Button size="small" onClick={() => add.mutate({ code, body: { employee_number: each.employee_number } })}>
              {t('Add')}
              <span className="hidden"> {nameOf(each)}</span>
            </Button>
          </li>
        ))}
        {data && people.length === 0 && <li className="tone-muted">{t('No other people match.')}</li>}
      </ul>
    </>
  );
}
