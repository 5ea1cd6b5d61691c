// Discovery settings page: daily limit of new devices, and identifiers to ignore.
import { rawLines, SettingsCard, Sheet, TextField, useMay, useSession, t } from '@keelson/web';

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
  return (
    <SettingsCard
      title={t('New devices')}
      read="GET /discovery/settings.php"
      write="PUT /discovery/settings.php"
      may={useAdministers()}
      change={(given) => ({ body: { new_devices_per_day: Number(given.get('new_devices_per_day')) } })}
    >
      {({ new_devices_per_day }) => (
        <TextField
          name="new_devices_per_day"
          label={t('New devices per day')}
          type="number"
          value={new_devices_per_day}
          hint={t('Per collector and site. Devices above the limit are held under “Found devices” until you add them.')}
          required
        />
      )}
    </SettingsCard>
  );
}

const lists = [
  { name: 'serial_numbers', label: t('Serial numbers') },
  { name: 'mac_addresses', label: t('MAC addresses') },
  { name: 'uuids', label: t('UUIDs') },
] as const;
const names = lists.map(({ name }) => name);

function Identifiers() {
  return (
    <SettingsCard
      title={t('Ignored identifiers')}
      read="GET /assets/identifiers.php"
      write="PUT /assets/identifiers.php"
      may={useAdministers()}
      change={(given) => ({ body: Object.fromEntries(names.map((name) => [name, rawLines(given, name)])) })}
      intro={
        <p className="tone-muted">
          {t(
            'Values shared by many devices, such as factory placeholders or the address of a docking station. Discovery and imports never match devices by them.',
          )}
        </p>
      }
      submit={t('Save lists')}
      saved={t('Lists saved')}
    >
      {(data) =>
        lists.map(({ name, label }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            lines={6}
            value={data[name].join('\n')}
            hint={t('One per line.')}
          />
        ))
      }
    </SettingsCard>
  );
}
