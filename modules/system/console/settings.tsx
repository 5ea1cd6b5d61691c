// Provider settings: colours, dropdown lists and log retention.
import {
  Bones,
  Card,
  Failed,
  Field,
  Form,
  rawLines,
  rawText,
  Sheet,
  Slot,
  TextField,
  toast,
  useChange,
  useItem,
  useMay,
  words,
  t,
} from '@keelson/web';
import { BackupCard } from './backup-card.tsx';
import { BrandingCard } from './branding-card.tsx';
import { MailServerCard } from './mail-server-card.tsx';
import { RegionCard } from './region-card.tsx';

const COLORS = 'GET /settings/colors.php';
const RETENTION = 'GET /settings/retention.php';
const LISTS = 'GET /settings/dropdowns.php';

export default function Settings() {
  return (
    <Sheet title={t('Settings')}>
      <BrandingCard may={useMayWrite()} />
      <RegionCard may={useMayWrite()} />
      <MailServerCard may={useMayWrite()} />
      <Slot name="settings.card" />
      <BackupCard may={useMayWrite()} />
      <Colors />
      <Retention />
      <Lists />
    </Sheet>
  );
}

const useMayWrite = () => {
  const may = useMay();
  return may('settings:write') || may('settings:write (session: administrator)');
};

function Colors() {
  const { data, error } = useItem(COLORS);
  const may = useMayWrite();
  const change = useChange('PUT /settings/colors.php', {
    quiet: true,
    touches: ['/settings/colors.php'],
    done: () => toast(t('Colours saved')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const names = Object.keys(data);
  const submit = (given: FormData) =>
    change.mutate({ body: Object.fromEntries(names.map((name) => [name, rawText(given, name)])) });
  return (
    <Card title={t('Portal and mail colours')}>
      <Form
        submit={t('Save colours')}
        error={change.error}
        busy={change.isPending || !may}
        names={names}
        onSubmit={submit}
      >
        <div className="swatches">
          {Object.entries(data).map(([name, value]) => (
            <Field key={name} name={name} label={words(name.replace('_color', ''))} required>
              {(control) => (
                <input {...control} type="color" className="input" defaultValue={String(value)} disabled={!may} />
              )}
            </Field>
          ))}
        </div>
      </Form>
    </Card>
  );
}

function Retention() {
  const { data, error } = useItem(RETENTION);
  const may = useMayWrite();
  const change = useChange('PUT /settings/retention.php', {
    quiet: true,
    touches: ['/settings/retention.php'],
    done: () => toast(t('Saved')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const submit = (given: FormData) =>
    change.mutate({
      body: {
        activity_days: Number(given.get('activity_days')),
        error_days: Number(given.get('error_days')),
        import_days: Number(given.get('import_days')),
      },
    });
  return (
    <Card title={t('Log and import retention')}>
      <Form
        submit={t('Save')}
        error={change.error}
        busy={change.isPending || !may}
        names={['activity_days', 'error_days', 'import_days']}
        onSubmit={submit}
      >
        <TextField
          name="activity_days"
          label={t('Activity log (days)')}
          type="number"
          value={data.activity_days}
          required
        />
        <TextField name="error_days" label={t('Error log (days)')} type="number" value={data.error_days} required />
        <TextField
          name="import_days"
          label={t('Imports (days)')}
          hint={t('Imports can be undone during this time.')}
          type="number"
          value={data.import_days}
          required
        />
      </Form>
    </Card>
  );
}

/** Edits each list as text with one value per line; removed values are no longer offered. */
function Lists() {
  const { data, error } = useItem(LISTS);
  const may = useMayWrite();
  const change = useChange('PUT /settings/dropdowns.php', {
    quiet: true,
    touches: ['/settings/dropdowns.php'],
    done: () => toast(t('Lists saved')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const lists = Object.entries(data);
  const names = lists.map(([name]) => name);
  const submit = (given: FormData) => {
    const body = lists.map(([name, values]) => [
      name,
      rawLines(given, name).map((label) => values.find((each) => each.label === label) ?? { label }),
    ]);
    change.mutate({ body: Object.fromEntries(body) as never });
  };
  return (
    <Card title={t('Dropdown lists')}>
      <Form
        submit={t('Save lists')}
        error={change.error}
        busy={change.isPending || !may}
        names={names}
        onSubmit={submit}
      >
        {lists.map(([name, values]) => (
          <TextField
            key={name}
            name={name}
            label={words(name)}
            lines={6}
            value={values.map((each) => each.label).join('\n')}
            hint={t('One per line.')}
          />
        ))}
      </Form>
    </Card>
  );
}
