// The schedule of the installation's own backups, and the result of the last one.
import {
  Bones,
  Button,
  Card,
  confirm,
  counted,
  Fact,
  Facts,
  Failed,
  fileSize,
  Form,
  Note,
  number,
  rawText,
  SelectField,
  TextField,
  Time,
  toast,
  useChange,
  useItem,
  Value,
} from '@keelson/web';

const TOUCHED = ['/settings/backup.php', '/monitoring/backup.php'];
const names = ['days', 'at', 'daily', 'weekly', 'monthly'];

export function BackupCard({ may }: { readonly may: boolean }) {
  const { data, error } = useItem('GET /settings/backup.php');
  const change = useChange('PUT /settings/backup.php', {
    quiet: true,
    touches: TOUCHED,
    done: () => toast('Backup schedule saved'),
  });
  const remove = useChange('DELETE /settings/backup.php', {
    touches: TOUCHED,
    done: () => toast('Scheduled backups turned off'),
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
  const turnOff = async () => {
    const words = {
      title: 'Turn off scheduled backups?',
      text: 'Existing backups are kept. No new ones are made until you set a schedule again.',
      act: 'Turn off',
      danger: true,
    };
    if (await confirm(words)) remove.mutate({});
  };
  return (
    <Card title="Backups">
      {!has_key && (
        <Note tone="warn" icon="alert" title="Backups are not possible yet">
          <p>
            Set BACKUP_KEY in the environment to the output of <code>openssl rand -base64 32</code>, and restart. Keep a
            copy of the key elsewhere: without it, backups cannot be restored.
          </p>
        </Note>
      )}
      <LastBackup next_at={next_at} />
      {source === 'environment' && cron && (
        <>
          <Facts>
            <Fact name="Schedule">
              <Value name="cron" value={cron} row={data} />
            </Fact>
            <Fact name="Kept">{keptInWords(daily, weekly, monthly)}</Fact>
          </Facts>
          <p>The schedule is set by BACKUP_CRON in the environment. Change it there.</p>
        </>
      )}
      {source !== 'environment' && has_key && (
        <Form
          key={source}
          submit="Test and save"
          error={change.error}
          busy={change.isPending || !may}
          names={names}
          onSubmit={submit}
        >
          <SelectField
            name="days"
            label="Days"
            value={days === 'off' ? 'every_day' : days}
            required
            choices={[
              { value: 'every_day', label: 'Every day' },
              { value: 'monday_to_friday', label: 'Monday to Friday' },
            ]}
          />
          <TextField
            name="at"
            label="Time"
            type="time"
            value={at}
            hint="In the time zone set above. Choose a quiet time: each backup is tested by restoring it."
            required
          />
          {kept_fixed ? (
            <p>{keptInWords(daily, weekly, monthly)}, set by BACKUP_KEEP in the environment. Change it there.</p>
          ) : (
            <>
              <TextField name="daily" label="Daily backups to keep" type="number" value={daily} required />
              <TextField name="weekly" label="Weekly backups to keep" type="number" value={weekly} required />
              <TextField
                name="monthly"
                label="Monthly backups to keep"
                type="number"
                value={monthly}
                hint="Older scheduled backups are deleted. Backups made by hand are kept."
                required
              />
            </>
          )}
        </Form>
      )}
      {may && source === 'console' && (
        <p>
          <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void turnOff()}>
            Turn off
          </Button>
        </p>
      )}
    </Card>
  );
}

const usualCounts = { daily: 7, weekly: 4, monthly: 12 };

const keptInWords = (daily: number, weekly: number, monthly: number): string =>
  `${number(daily)} daily, ${number(weekly)} weekly and ${number(monthly)} monthly backups are kept`;

function LastBackup({ next_at }: { readonly next_at: string | null }) {
  const { data } = useItem('GET /monitoring/backup.php');
  if (!data) return null;
  const { error, made_at, verified_at, bytes, rows, files, copied } = data;
  const size = bytes > 0 ? `, ${fileSize(bytes)}` : '';
  const contents = `${counted(rows, 'records')}, ${counted(files, 'files')}${size}`;
  return (
    <>
      {error !== '' && (
        <Note tone="danger" icon="alert" title="The last backup failed">
          <p>{error}</p>
        </Note>
      )}
      <Facts>
        <Fact name="Last backup">{made_at ? <Time at={made_at} form="moment" /> : 'None yet'}</Fact>
        {made_at && (
          <>
            <Fact name="Contents">{contents}</Fact>
            <Fact name="Test restore">{verified_at ? <Time at={verified_at} form="moment" /> : 'None yet'}</Fact>
            <Fact name="Copied to the store">{copied ? 'Yes' : 'No'}</Fact>
          </>
        )}
        <Fact name="Next backup">{next_at && <Time at={next_at} form="moment" />}</Fact>
      </Facts>
    </>
  );
}
