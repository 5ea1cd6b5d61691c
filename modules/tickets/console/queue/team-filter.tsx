// Team filter of the queue. The teams are loaded when the filter is opened, or to name the chosen one.
import { Filter, t } from '@keelson/web';
import { useState } from 'react';
import { useTeams } from '../ticket/change.tsx';

const choiceOf = ({ team_id, name }: { readonly team_id: number; readonly name: string }) => ({
  value: String(team_id),
  label: name,
});

export function TeamFilter({ value, onChoose }: { value: string; onChoose: (team: string) => void }) {
  const [reached, setReached] = useState(false);
  const reach = () => setReached(true);
  const teams = useTeams(reached || value !== '');
  return (
    <span onPointerEnter={reach} onFocus={reach}>
      <Filter
        label={t('Team')}
        value={value}
        choices={[{ value: 'none', label: t('No team') }, ...teams.map(choiceOf)]}
        onChoose={onChoose}
      />
    </span>
  );
}
