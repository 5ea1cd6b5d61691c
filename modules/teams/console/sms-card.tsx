// Settings of the SMS gateway.
import {
  Bones,
  Card,
  Failed,
  Form,
  rawText,
  RemoveButton,
  SelectField,
  TextField,
  texts,
  toast,
  useChange,
  useItem,
  useMaySet,
  t,
} from '@keelson/web';

const TOUCHED = ['/teams/sms-gateway.php'];
const kinds = [
  { value: 'json', label: t('JSON') },
  { value: 'form', label: t('Form') },
];
const EXAMPLE = '{"to": "{{ number }}", "text": "{{ text }}"}';

export default function SmsCard() {
  const { data, error } = useItem('GET /teams/sms-gateway.php');
  const mayWrite = useMaySet();
  const change = useChange('PUT /teams/sms-gateway.php', {
    quiet: true,
    touches: TOUCHED,
    done: () => toast(t('SMS gateway saved')),
  });
  const test = useChange('POST /teams/sms-gateway.php?action=test', {
    quiet: true,
    done: () => toast(t('The gateway accepted the message')),
  });
  const remove = useChange('DELETE /teams/sms-gateway.php', {
    touches: TOUCHED,
    done: () => toast(t('SMS gateway removed')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const { url, content_type, body, has_authorization } = data;
  const submit = (given: FormData) => {
    const authorization = rawText(given, 'authorization');
    const content = rawText(given, 'content_type') === 'form' ? 'form' : 'json';
    change.mutate({
      body: {
        ...texts(given, 'url', 'body'),
        content_type: content,
        ...(authorization !== '' && { authorization }),
      },
    });
  };
  return (
    <Card title={t('Text messages')}>
      <p>{t('Escalation steps can notify technicians by text message, through the HTTP API of an SMS provider.')}</p>
      <Form
        key={url ?? ''}
        submit={t('Save')}
        error={change.error}
        busy={change.isPending || !mayWrite}
        onSubmit={submit}
      >
        <TextField name="url" label={t('URL')} type="url" value={url ?? ''} required />
        <SelectField
          name="content_type"
          label={t('Content type')}
          value={content_type ?? 'json'}
          choices={kinds}
          required
        />
        <TextField
          name="body"
          label={t('Body')}
          lines={3}
          value={body ?? EXAMPLE}
          hint={t('What is sent for a message, with {number} and {text}.', {
            number: '{{ number }}',
            text: '{{ text }}',
          })}
          required
        />
        <TextField
          name="authorization"
          label={t('Authorization header')}
          type="password"
          autoComplete="new-password"
          hint={has_authorization ? t('Leave blank to keep the current one.') : t('Such as Bearer and a token.')}
        />
      </Form>
      {mayWrite && url !== null && (
        <>
          <Form
            submit={t('Send test message')}
            error={test.error}
            busy={test.isPending}
            onSubmit={(given) => test.mutate({ body: { number: rawText(given, 'number') } })}
          >
            <TextField
              name="number"
              label={t('Send a test to')}
              type="tel"
              hint={t('A number such as +49 30 123456.')}
              required
            />
          </Form>
          <p>
            <RemoveButton
              question={t('Remove SMS gateway?')}
              text={t('Escalations then notify by email, in the console and in channels only.')}
              busy={remove.isPending}
              onRemove={() => remove.mutate({})}
            />
          </p>
        </>
      )}
    </Card>
  );
}
