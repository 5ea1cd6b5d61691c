// Settings of the assistant's language model.
import {
  Bones,
  Button,
  Card,
  Failed,
  Form,
  rawText,
  RemoveButton,
  TextField,
  texts,
  toast,
  useChange,
  useItem,
  useMaySet,
  rich,
  t,
} from '@keelson/web';

const TOUCHED = ['/assistant/model.php'];

export default function ModelCard() {
  const { data, error } = useItem('GET /assistant/model.php');
  const mayWrite = useMaySet();
  const change = useChange('PUT /assistant/model.php', {
    quiet: true,
    touches: TOUCHED,
    done: () => toast(t('Language model saved')),
  });
  const test = useChange('POST /assistant/model.php?action=test', {
    done: ({ answer }) =>
      toast(answer === '' ? t('The model answered') : t('The model answered: {answer}', { answer })),
  });
  const remove = useChange('DELETE /assistant/model.php', {
    touches: TOUCHED,
    done: () => toast(t('Language model removed')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const { source, base_url, model, has_key } = data;
  const submit = (given: FormData) => {
    const api_key = rawText(given, 'api_key');
    change.mutate({ body: { ...texts(given, 'base_url', 'model'), ...(api_key !== '' && { api_key }) } });
  };
  return (
    <Card title={t('Assistant')}>
      {source === 'environment' ? (
        <p>
          {rich(
            'The chat assistant uses the model {model} at {base_url}, set by AI_BASE_URL in the environment. Change it there.',
            { model: <b>{model}</b>, base_url: <b>{base_url}</b> },
          )}
        </p>
      ) : (
        <>
          <p>
            {source === 'none' && t('No language model is set up: the chat assistant quotes your articles. ')}
            {t('With a language model, questions and matching articles are sent to its service.')}
          </p>
          <Form
            key={source}
            submit={t('Test and save')}
            error={change.error}
            busy={change.isPending || !mayWrite}
            onSubmit={submit}
          >
            <TextField
              name="base_url"
              label={t('Base URL')}
              type="url"
              value={base_url ?? ''}
              hint={t('Address of an OpenAI-compatible API, such as https://api.example.com/v1.')}
              required
            />
            <TextField name="model" label={t('Model')} value={model ?? ''} required />
            <TextField
              name="api_key"
              label={t('API key')}
              type="password"
              autoComplete="new-password"
              hint={
                has_key
                  ? t('Leave blank to keep the current key.')
                  : t('Leave blank if the service does not require one.')
              }
            />
          </Form>
        </>
      )}
      {mayWrite && source !== 'none' && (
        <p>
          <Button icon="send" disabled={test.isPending} onClick={() => test.mutate({})}>
            {t('Ask a test question')}
          </Button>{' '}
          {source === 'console' && (
            <RemoveButton
              question={t('Remove language model?')}
              text={t('The chat assistant then answers with quotes from your articles.')}
              busy={remove.isPending}
              onRemove={() => remove.mutate({})}
            />
          )}
        </p>
      )}
    </Card>
  );
}
