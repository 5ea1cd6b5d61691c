// The schedule of the installation's own backups, and the result of the last one.
import {
  Bones,
  Card,
  counted,
  Explained,
  Fact,
  Facts,
  Failed,
  fileSize,
  Form,
  Note,
  number,
  rawText,
  RemoveButton,
  SelectField,
  TextField,
  Time,
  toast,
  useChange,
  useItem,
  Value,
  rich,
  t,
} from '@keelson/web';

const TOUCHED = ['/settings/backup.php', '/monitoring/backup.php'];

export function BackupCard({ may }: { readonly may: boolean }) {
  const { data, error } = useItem('GET /settings/backup.php');
  const change = useChange('PUT /settings/backup.php', {
    quiet: true,
    touches: TOUCHED,
    done: () => toast(t('Backup schedule saved')),
  });
  const remove = useChange('DELETE /settings/backup.php', {
    touches: TOUCHED,
    done: () => toast(t('Scheduled backups turned off')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const { source, cron, days, at, next_at, kept_fixed, has_key, ...kept } = data;
  const { daily, weekly, monthly } = kept;
  const submit = (given: FormData) => {
    const count = (name: 'daily' | 'weekly' | 'monthly') =>
      kept_fixed ? usualCounts[name] : Number(rawText(given, name));
    change.mutate({
      body: {
        days: rawText(given, 'days') as 'every_day' | 'monday_to_friday',
        at: rawText(given, 'at').slice(0, 5),
        daily: count('daily'),
        weekly: count('weekly'),
        monthly: count('monthly'),
      },
    });
  };
  return (
    <Card title={t('Backups')}>
      {!has_key && (
        <Note tone="warn" icon="alert" title={t('Backups are not possible yet')}>
          <p>
            {rich(
              'Set BACKUP_KEY in the environment to the output of {code}, and restart. Keep a copy of the key elsewhere: without it, backups cannot be restored.',
              { code: <code>{t('openssl rand -base64 32')}</code> },
            )}
          </p>
        </Note>
      )}
      <LastBackup next_at={next_at} />
      {source === 'environment' && cron && (
        <>
          <Facts>
            <Fact name={t('Schedule')}>
              <Value name="cron" value={cron} row={data} />
            </Fact>
            <Fact name={t('Kept')}>{keptInWords(daily, weekly, monthly)}</Fact>
          </Facts>
          <p>{t('The schedule is set by BACKUP_CRON in the environment. Change it there.')}</p>
        </>
      )}
      {source !== 'environment' && has_key && (
        <Form
          key={source}
          submit={t('Test and save')}
          error={change.error}
          busy={change.isPending || !may}
          onSubmit={submit}
        >
          <SelectField
            name="days"
            label={t('Days')}
            value={days === 'off' ? 'every_day' : days}
            required
            choices={[
              { value: 'every_day', label: t('Every day') },
              { value: 'monday_to_friday', label: t('Monday to Friday') },
            ]}
          />
          <TextField
            name="at"
            label={t('Time')}
            type="time"
            value={at}
            hint={t('In the time zone set above. Choose a quiet time: each backup is tested by restoring it.')}
            required
          />
          {kept_fixed ? (
            <p>
              {t('{daily}, set by BACKUP_KEEP in the environment. Change it there.', {
                daily: keptInWords(daily, weekly, monthly),
              })}
            </p>
          ) : (
            <>
              <TextField name="daily" label={t('Daily backups to keep')} type="number" value={daily} required />
              <TextField name="weekly" label={t('Weekly backups to keep')} type="number" value={weekly} required />
              <TextField
                name="monthly"
                label={t('Monthly backups to keep')}
                type="number"
                value={monthly}
                hint={t('Older scheduled backups are deleted. Backups made by hand are kept.')}
                required
              />
            </>
          )}
        </Form>
      )}
      {may && source === 'console' && (
        <p>
          <RemoveButton
            question={t('Turn off scheduled backups?')}
            text={t('Existing backups are kept. No new ones are made until you set a schedule again.')}
            act={t('Turn off')}
            busy={remove.isPending}
            onRemove={() => remove.mutate({})}
          />
        </p>
      )}
    </Card>
  );
}

const usualCounts = { daily: 7, weekly: 4, monthly: 12 };

const keptInWords = (daily: number, weekly: number, monthly: number): string =>
  t('{daily} daily, {weekly} weekly and {monthly} monthly backups are kept', {
    daily: number(daily),
    weekly: number(weekly),
    monthly: number(monthly),
  });

function LastBackup({ next_at }: { readonly next_at: string | null }) {
  const { data } = useItem('GET /monitoring/backup.php');
  if (!data) return null;
  const { error, made_at, verified_at, bytes, rows, files, copied } = data;
  const size = bytes > 0 ? `, ${fileSize(bytes)}` : '';
  const contents = `${counted(rows, 'records')}, ${counted(files, 'files')}${size}`;
  return (
    <>
      {error !== '' && (
        <Note tone="danger" icon="alert" title={t('The last backup failed')}>
          <p>
            <Explained text={error} />
          </p>
        </Note>
      )}
      <Facts>
        <Fact name={t('Last backup')}>{made_at ? <Time at={made_at} form="moment" /> : t('None yet')}</Fact>
        {made_at && (
          <>
            <Fact name={t('Contents')}>{contents}</Fact>
            <Fact name={t('Test restore')}>
              {verified_at ? <Time at={verified_at} form="moment" /> : t('None yet')}
            </Fact>
            <Fact name={t('Copied to the store')}>{copied ? t('Yes') : t('No')}</Fact>
          </>
        )}
        <Fact name={t('Next backup')}>{next_at && <Time at={next_at} form="moment" />}</Fact>
      </Facts>
    </>
  );
}
