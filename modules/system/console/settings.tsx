// Provider settings: colours, dropdown lists and log retention.
import { Field, rawLines, rawText, SettingsCard, Sheet, Slot, TextField, useMaySet, words, t } from '@keelson/web';
import { BackupCard } from './backup-card.tsx';
import { BrandingCard } from './branding-card.tsx';
import { MailServerCard } from './mail-server-card.tsx';
import { RegionCard } from './region-card.tsx';

export default function Settings() {
  const may = useMaySet();
  return (
    <Sheet title={t('Settings')}>
      <BrandingCard may={may} />
      <RegionCard may={may} />
      <MailServerCard may={may} />
      <Slot name="settings.card" />
      <BackupCard may={may} />
      <Colors may={may} />
      <Retention may={may} />
      <Lists may={may} />
    </Sheet>
  );
}

interface Permitted {
  readonly may: boolean;
}

const colours: Readonly<Record<string, string>> = {
  primary_color: t('Primary'),
  secondary_color: t('Secondary'),
  accent_color: t('Accent'),
  background_color: t('Background'),
  text_color: t('Text'),
  link_color: t('Link'),
};

function Colors({ may }: Permitted) {
  return (
    <SettingsCard
      title={t('Portal and mail colours')}
      read="GET /settings/colors.php"
      write="PUT /settings/colors.php"
      may={may}
      change={(given, data) => ({
        body: Object.fromEntries(Object.keys(data).map((name) => [name, rawText(given, name)])),
      })}
      submit={t('Save colours')}
      saved={t('Colours saved')}
    >
      {(data) => (
        <div className="swatches">
          {Object.entries(data).map(([name, value]) => (
            <Field key={name} name={name} label={colours[name] ?? words(name)} required>
              {(control) => (
                <input {...control} type="color" className="input" defaultValue={String(value)} disabled={!may} />
              )}
            </Field>
          ))}
        </div>
      )}
    </SettingsCard>
  );
}

function Retention({ may }: Permitted) {
  return (
    <SettingsCard
      title={t('Log and import retention')}
      read="GET /settings/retention.php"
      write="PUT /settings/retention.php"
      may={may}
      change={(given) => ({
        body: {
          activity_days: Number(given.get('activity_days')),
          error_days: Number(given.get('error_days')),
          import_days: Number(given.get('import_days')),
        },
      })}
    >
      {({ activity_days, error_days, import_days }) => (
        <>
          <TextField
            name="activity_days"
            label={t('Activity log (days)')}
            type="number"
            value={activity_days}
            required
          />
          <TextField name="error_days" label={t('Error log (days)')} type="number" value={error_days} required />
          <TextField
            name="import_days"
            label={t('Imports (days)')}
            hint={t('Imports can be undone during this time.')}
            type="number"
            value={import_days}
            required
          />
        </>
      )}
    </SettingsCard>
  );
}

/** Edits each list as text with one value per line; removed values are no longer offered. Saves the edited lists only. */
function Lists({ may }: Permitted) {
  return (
    <SettingsCard
      title={t('Dropdown lists')}
      read="GET /settings/dropdowns.php"
      write="PUT /settings/dropdowns.php"
      may={may}
      change={(given, data, opened) => {
        const edited = Object.entries(data).filter(([name]) => given.get(name) !== opened.get(name));
        const lists = edited.map(([name, items]) => {
          const stored = (label: string) => items.find((each) => each.label === label);
          const lines = rawLines(given, name);
          return [name, lines.map((value, i) => ({ value, ...stored(value), sort_order: i + 1 }))] as const;
        });
        return lists.length > 0 ? { body: Object.fromEntries(lists) } : undefined;
      }}
      submit={t('Save lists')}
      saved={t('Lists saved')}
    >
      {(data) =>
        Object.entries(data).map(([name, values]) => (
          <TextField
            key={name}
            name={name}
            label={words(name)}
            lines={6}
            value={values.map((each) => each.label).join('\n')}
            hint={t('One per line.')}
          />
        ))
      }
    </SettingsCard>
  );
}
