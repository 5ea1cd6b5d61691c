import { IconButton, Menu, RecordField, t } from '@keelson/web';
import { useState } from 'react';
import { useTechnicians } from './change.tsx';

/** Fields for the watchers of a new ticket: people of its company, and technicians. Their ids are submitted as text. */
export function WatcherFields({ company }: { company: number | undefined }) {
  const technicians = useTechnicians();
  const [contacts, setContacts] = useState<readonly Chosen[]>([]);
  const [colleagues, setColleagues] = useState<readonly Chosen[]>([]);
  const others = technicians.filter(
    ({ user_id }: { user_id: number }) => !colleagues.some((each) => each.id === user_id),
  );
  const ids = (chosen: readonly Chosen[]) => chosen.map((each) => each.id).join();
  return (
    <>
      <input type="hidden" name="watchers" value={ids(contacts)} />
      <input type="hidden" name="technician_watchers" value={ids(colleagues)} />
      <div className="pair">
        {company && (
          <RecordField
            // Cleared after each choice.
            key={contacts.length}
            type="contact"
            name="watcher"
            label={t('Watching contacts')}
            where={{ company_number: company }}
            onPick={(picked) => {
              const id = Number(picked?.id);
              if (picked && !contacts.some((each) => each.id === id))
                setContacts([...contacts, { id, name: picked.name }]);
            }}
          />
        )}
        <div className="field">
          <span className="label">
            {t('Watching technicians')}
            <span className="optional"> {t('optional')}</span>
          </span>
          <Menu
            label={t('Watching technicians')}
            choices={others.map(({ user_id, name }: { user_id: number; name: string }) => ({
              value: user_id,
              label: name,
            }))}
            onChoose={(id) =>
              setColleagues([
                ...colleagues,
                { id, name: technicians.find((each: { user_id: number }) => each.user_id === id)?.name ?? '' },
              ])
            }
          >
            {t('Add a technician')}
          </Menu>
        </div>
      </div>
      {contacts.length + colleagues.length > 0 && (
        <ul className="tags" aria-label={t('Watchers')}>
          <Removable chosen={contacts} onChange={setContacts} />
          <Removable chosen={colleagues} onChange={setColleagues} />
        </ul>
      )}
    </>
  );
}

interface Chosen {
  readonly id: number;
  readonly name: string;
}

function Removable({ chosen, onChange }: { chosen: readonly Chosen[]; onChange: (next: readonly Chosen[]) => void }) {
  return chosen.map((each) => (
    <li key={each.id} className="tag">
      {each.name}
      <IconButton
        icon="x"
        label={t('Remove {name}', { name: each.name })}
        className="quiet"
        onClick={() => onChange(chosen.filter(({ id }) => id !== each.id))}
      />
    </li>
  ));
}
