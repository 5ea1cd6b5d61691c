// Dialog that creates an API key: its purpose, its permissions, and its secret, which is shown once.
import {
  Bones,
  CheckField,
  ChoiceGroups,
  Failed,
  Form,
  LinkButton,
  RecordPage,
  Secret,
  SelectField,
  TextField,
  texts,
  useChange,
  useItem,
  type Args,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';

const CREATE = 'POST /settings/api-keys.php';
type Body = Args<typeof CREATE>['body'];
type KeyType = NonNullable<Body['type']>;
const back = { to: '/keys', title: t('Back to API keys') };

const types: readonly { readonly value: KeyType; readonly label: string; readonly surface: string }[] = [
  { value: 'admin', label: t('Administration'), surface: 'admin' },
  { value: 'crm_secret', label: t('CRM'), surface: 'crm' },
  { value: 'crm_public_live', label: t('Website'), surface: '' },
  { value: 'crm_public_test', label: t('Website (test)'), surface: '' },
];

export default function CreateKey() {
  const [type, setType] = useState<KeyType>('admin');
  const [made, setMade] = useState<Data<typeof CREATE>>();
  const permissions = useItem('GET /settings/permissions.php');
  const create = useChange(CREATE, { quiet: true, touches: ['/settings/api-keys.php'], done: setMade });
  const surface = types.find((each) => each.value === type)?.surface ?? '';
  if (made)
    return (
      <RecordPage title={t('{name} created', { name: made.name })} back={back}>
        <Secret title={t('API key')}>{made.api_key}</Secret>
        <LinkButton to={`/keys/${made.key_id}`} look="primary">
          {t('Go to key')}
        </LinkButton>
      </RecordPage>
    );
  return (
    <RecordPage title={t('New API key')} back={back}>
      <Form
        submit={t('Create key')}
        busy={create.isPending}
        error={create.error}
        onSubmit={(given) => create.mutate({ body: keyOf(given, type) })}
      >
        <TextField
          name="name"
          label={t('Name')}
          hint={t('The integration that uses this key.')}
          max={255}
          required
          autoFocus
        />
        <SelectField
          name="type"
          label={t('For')}
          value={type}
          choices={types}
          required
          onChoose={(chosen) => setType(chosen as KeyType)}
        />
        {permissions.error && <Failed error={permissions.error} />}
        {permissions.isLoading && <Bones />}
        {surface ? (
          <ChoiceGroups
            key={surface}
            name="permissions"
            choices={(permissions.data ?? [])
              .filter((each) => each.surface === surface)
              .map((each) => ({ value: each.name, about: each.controls }))}
            groupOf={(permission) => permission.split(':')[0]}
          />
        ) : (
          <TextField
            name="allowed_origins"
            label={t('Websites')}
            hint={t('Comma-separated, such as https://www.example.com.')}
          />
        )}
        <TextField name="allowed_addresses" label={t('Allowed IP addresses')} hint={t('Leave blank to allow all.')} />
        <TextField name="rate_limit_per_minute" label={t('Requests per minute')} type="number" />
        <TextField name="expires_at" label={t('Expires on')} type="date" />
        {type === 'admin' && <CheckField name="allow_reveal" label={t('Can reveal stored passwords')} />}
      </Form>
    </RecordPage>
  );
}

function keyOf(given: FormData, type: KeyType): Body {
  const fields = ['name', 'allowed_origins', 'allowed_addresses', 'rate_limit_per_minute', 'expires_at'] as const;
  const { name, allowed_origins, allowed_addresses, rate_limit_per_minute, expires_at } = texts(given, ...fields);
  const permissions = given.getAll('permissions').filter((each) => typeof each === 'string');
  return {
    name,
    type,
    // Public keys get the fixed widget permissions; other keys get exactly those selected, possibly none.
    ...(!type.startsWith('crm_public') && { permissions }),
    ...(allowed_origins && { allowed_origins: listed(allowed_origins) }),
    ...(allowed_addresses && { allowed_addresses: listed(allowed_addresses) }),
    ...(rate_limit_per_minute && { rate_limit_per_minute: Number(rate_limit_per_minute) }),
    ...(expires_at && { expires_at: new Date(expires_at).toISOString() }),
    ...(given.get('allow_reveal') === 'true' && { allow_reveal: true }),
  };
}

const listed = (text: string): string[] => text.split(/\s*,\s*/).filter(Boolean);
