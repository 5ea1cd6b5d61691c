// Whether contacts can move appointments.
import { CheckField, rawText, SettingsCard, useMaySet, t } from '@keelson/web';

export default function AppointmentSettings() {
  return (
    <SettingsCard
      title={t('Appointments')}
      read="GET /dispatch/settings.php"
      write="PUT /dispatch/settings.php"
      may={useMaySet()}
      change={(given) => ({ body: { contacts_move: rawText(given, 'contacts_move') === 'true' } })}
      saved={t('Appointments saved')}
    >
      {({ contacts_move }) => (
        <CheckField
          name="contacts_move"
          label={t('Contacts can move appointments to another time')}
          hint={t('To the technician’s free times, up to 24 hours before and at most twice.')}
          checked={contacts_move}
        />
      )}
    </SettingsCard>
  );
}
