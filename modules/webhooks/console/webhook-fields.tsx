import { Bones, CheckField, ChoiceGroups, Failed, rawText, TextField, useItem, t } from '@keelson/web';

interface WebhookFieldsProps {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly active?: boolean;
}

/** Form fields of a webhook: URL and events, grouped by resource. */
export function WebhookFields({ url, events = [], active = true }: WebhookFieldsProps) {
  const { data, error } = useItem('GET /webhooks.php?action=events');
  return (
    <>
      <TextField
        name="url"
        label={t('Address')}
        type="url"
        value={url}
        placeholder={t('https://…')}
        required
        autoFocus
      />
      <CheckField name="active" label={t('Active')} checked={active} />
      {error && <Failed error={error} />}
      {!data && !error && <Bones />}
      {/* Until the choices are loaded, saving keeps the events. */}
      {!data && events.map((each) => <input key={each} type="hidden" name="events" value={each} />)}
      <ChoiceGroups
        name="events"
        choices={(data?.events ?? []).map((each) => ({ value: each, checked: events.includes(each) }))}
        groupOf={(event) => event.split('.')[0]}
      />
    </>
  );
}

/** Reads the form. The events are sorted, so that the same ones compare equal. */
export const webhookOf = (given: FormData) => ({
  url: rawText(given, 'url').trim(),
  events: given
    .getAll('events')
    .filter((each) => typeof each === 'string')
    .toSorted(),
  active: given.get('active') === 'true',
});
