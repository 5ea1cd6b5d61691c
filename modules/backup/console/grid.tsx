// Backups of all machines by day.
import { Filter, LinkButton, Sheet, useSearchParams, t } from '@keelson/web';
import { BackupDays } from './machines.tsx';

export default function BackupGrid() {
  const [params, setParams] = useSearchParams();
  const days = params.get('days') === '30' ? 30 : 14;
  return (
    <Sheet
      title={t('Backup')}
      acts={
        <>
          <Filter
            label={t('Days')}
            any={t('Last {days} days', { days: 14 })}
            value={days === 30 ? '30' : ''}
            choices={{ 30: t('Last {days} days', { days: 30 }) }}
            onChoose={(value) => setParams(value ? { days: value } : {}, { replace: true })}
          />
          <LinkButton to="/backup/companies" icon="list">
            {t('Companies')}
          </LinkButton>
        </>
      }
    >
      <BackupDays days={days} />
    </Sheet>
  );
}
