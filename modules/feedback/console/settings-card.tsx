// Whether requesters are asked for a rating.
import { CheckField, rawText, SettingsCard, useMaySet, t } from '@keelson/web';

export default function RatingSettings() {
  return (
    <SettingsCard
      title={t('Ratings')}
      read="GET /feedback/settings.php"
      write="PUT /feedback/settings.php"
      may={useMaySet()}
      change={(given) => ({ body: { ask: rawText(given, 'ask') === 'true' } })}
      saved={t('Ratings saved')}
    >
      {({ ask }) => (
        <CheckField
          name="ask"
          label={t('Ask requesters to rate closed tickets')}
          hint={t('Adds three links to the email about the closed ticket. No reminders are sent.')}
          checked={ask}
        />
      )}
    </SettingsCard>
  );
}
