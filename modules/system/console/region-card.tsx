// Settings of the time zone and the currency.
import {
  Bones,
  browserZone,
  Card,
  chosenLanguage,
  ComboField,
  Failed,
  Form,
  languageChoices,
  rawText,
  SelectField,
  toast,
  useChange,
  useItem,
  rich,
  t,
  locale,
  ZoneField,
  zoneLabel,
} from '@keelson/web';

const names = ['time_zone', 'currency', 'language'];

export function RegionCard({ may }: { readonly may: boolean }) {
  const { data, error } = useItem('GET /settings/region.php');
  const change = useChange('PUT /settings/region.php', {
    quiet: true,
    touches: ['/settings/region.php', '/console.php', '/set-up.php'],
    done: () => toast(t('Saved')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const { time_zone, time_zone_source, currency, language } = data;
  const fixed = time_zone_source === 'environment';
  const submit = (given: FormData) =>
    change.mutate({
      body: {
        ...(!fixed && { time_zone: rawText(given, 'time_zone') }),
        currency: rawText(given, 'currency'),
        language: chosenLanguage(rawText(given, 'language')),
      },
    });
  return (
    <Card title={t('Time zone, currency and language')}>
      <Form submit={t('Save')} error={change.error} busy={change.isPending || !may} names={names} onSubmit={submit}>
        {fixed ? (
          <p>
            {rich('The time zone is {time_zone}, set by TIME_ZONE in the environment. Change it there.', {
              time_zone: <b>{zoneLabel(time_zone)}</b>,
            })}
          </p>
        ) : (
          <ZoneField
            name="time_zone"
            label={t('Time zone')}
            value={time_zone_source === 'none' ? browserZone() : time_zone}
            hint={
              time_zone_source === 'none'
                ? t('Not set yet: UTC is used until you save. Your computer’s time zone is suggested.')
                : t('For schedules, documents and “today” in lists and reports.')
            }
            required
          />
        )}
        <ComboField
          name="currency"
          label={t('Currency')}
          value={currency}
          choices={currencyChoices(currency)}
          hint={t(
            'For all amounts without a currency of their own. Existing amounts are not converted. You can’t change the currency once there are invoices.',
          )}
          required
        />
        <SelectField
          name="language"
          label={t('Language')}
          value={language}
          choices={languageChoices}
          none={t('Language of the browser')}
          hint={t('For people who have not chosen a language and whose company has none.')}
        />
      </Form>
    </Card>
  );
}

/** Returns every currency in use, by name: `Euro EUR`. */
function currencyChoices(present: string) {
  const nameOf = new Intl.DisplayNames(locale, { type: 'currency' });
  const codes = new Set([present, ...Intl.supportedValuesOf('currency')]);
  return [...codes]
    .map((value) => ({ value, label: nameOf.of(value) ?? value, detail: value }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}
