// Settings of the time zone and the currency.
import {
  browserZone,
  chosenLanguage,
  ComboField,
  languageChoices,
  rawText,
  SelectField,
  SettingsCard,
  rich,
  t,
  locale,
  ZoneField,
  zoneLabel,
} from '@keelson/web';

export function RegionCard({ may }: { readonly may: boolean }) {
  return (
    <SettingsCard
      title={t('Time zone, currency and language')}
      read="GET /settings/region.php"
      write="PUT /settings/region.php"
      may={may}
      change={(given, { time_zone_source }) => ({
        body: {
          ...(time_zone_source !== 'environment' && { time_zone: rawText(given, 'time_zone') }),
          currency: rawText(given, 'currency'),
          language: chosenLanguage(rawText(given, 'language')),
        },
      })}
      touches={['/console.php', '/set-up.php']}
    >
      {({ time_zone, time_zone_source, currency, language }) => (
        <>
          {time_zone_source === 'environment' ? (
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
        </>
      )}
    </SettingsCard>
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
