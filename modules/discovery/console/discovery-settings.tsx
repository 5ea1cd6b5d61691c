// Discovery settings page: daily limit of new devices, and identifiers to ignore.
import {
  Bones,
  Card,
  Failed,
  Form,
  rawLines,
  Sheet,
  TextField,
  toast,
  useChange,
  useItem,
  useMay,
  useSession,
  t,
} from '@keelson/web';

const SETTINGS = 'GET /discovery/settings.php';
const IDENTIFIERS = 'GET /assets/identifiers.php';

export default function Settings() {
  const may = useMay();
  return (
    <Sheet title={t('Discovery settings')}>
      <NewDevices />
      {may('assets:read') && <Identifiers />}
    </Sheet>
  );
}

const useAdministers = () => useSession().person.role === 'administrator';

function NewDevices() {
  const { data, error } = useItem(SETTINGS);
  const may = useAdministers();
  const change = useChange('PUT /discovery/settings.php', {
    quiet: true,
    touches: ['/discovery/settings.php'],
    done: () => toast(t('Saved')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const submit = (given: FormData) =>
    change.mutate({ body: { new_devices_per_day: Number(given.get('new_devices_per_day')) } });
  return (
    <Card title={t('New devices')}>
      <Form
        submit={t('Save')}
        error={change.error}
        busy={change.isPending || !may}
        names={['new_devices_per_day']}
        onSubmit={submit}
      >
        <TextField
          name="new_devices_per_day"
          label={t('New devices per day')}
          type="number"
          value={data.new_devices_per_day}
          hint={t('Per collector and site. Devices above the limit are held under “Found devices” until you add them.')}
          required
        />
      </Form>
    </Card>
  );
}

const lists = [
  { name: 'serial_numbers', label: t('Serial numbers') },
  { name: 'mac_addresses', label: t('MAC addresses') },
  { name: 'uuids', label: t('UUIDs') },
] as const;
const names = lists.map(({ name }) => name);

function Identifiers() {
  const { data, error } = useItem(IDENTIFIERS);
  const may = useAdministers();
  const change = useChange('PUT /assets/identifiers.php', {
    quiet: true,
    touches: ['/assets/identifiers.php'],
    done: () => toast(t('Lists saved')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const submit = (given: FormData) =>
    change.mutate({ body: Object.fromEntries(names.map((name) => [name, rawLines(given, name)])) });
  return (
    <Card title={t('Ignored identifiers')}>
      <p className="tone-muted">
        {t(
          'Values shared by many devices, such as factory placeholders or the address of a docking station. Discovery and imports never match devices by them.',
        )}
      </p>
      <Form
        submit={t('Save lists')}
        error={change.error}
        busy={change.isPending || !may}
        names={names}
        onSubmit={submit}
      >
        {lists.map(({ name, label }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            lines={6}
            value={data[name].join('\n')}
            hint={t('One per line.')}
          />
        ))}
      </Form>
    </Card>
  );
}
