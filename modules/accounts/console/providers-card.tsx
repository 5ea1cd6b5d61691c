// Identity providers that customers and staff can sign in with.
import {
  Badge,
  Bones,
  Button,
  Card,
  Fact,
  Facts,
  Failed,
  Form,
  Note,
  rawText,
  RecordsField,
  RemoveButton,
  SelectField,
  TextField,
  texts,
  toast,
  useChange,
  useItem,
  useMaySet,
  type Data,
  rich,
  t,
} from '@keelson/web';
import { useState } from 'react';

const PROVIDERS = 'GET /settings/identity-providers.php';
const TOUCHED = ['/settings/identity-providers.php'];

type Provider = Data<typeof PROVIDERS>['providers'][number];

const domainHints = {
  google: t('Leave blank for gmail.com and the domains of Google Workspace accounts.'),
  microsoft: t('Leave blank for the domains that Microsoft lists as verified for the directory.'),
  okta: t('Such as example.com, separated by commas, or * for all if the provider is your own.'),
  oidc: t('Such as example.com, separated by commas, or * for all if the provider is your own.'),
};

export default function ProvidersCard() {
  const { data, error } = useItem(PROVIDERS);
  const mayWrite = useMaySet();
  const [open, setOpen] = useState<Provider['key']>();
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  return (
    <Card title={t('Identity providers')}>
      <p>
        {t(
          'Customers and staff can always sign in with their email address and password. Identity providers are offered in addition.',
        )}
      </p>
      <ul className="providers">
        {data.providers.map((each) => (
          <li key={each.key}>
            <b>{titleOf(each)}</b> <State provider={each} />
            {mayWrite && each.source !== 'environment' && open !== each.key && (
              <Button size="small" onClick={() => setOpen(each.key)}>
                {each.source === 'none' ? t('Set up') : t('Change')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.providers.map(
        (each) =>
          open === each.key && (
            <ProviderForm
              key={each.key}
              provider={each}
              redirect={data.redirect_uri}
              onClose={() => setOpen(undefined)}
            />
          ),
      )}
    </Card>
  );
}

const audiences = ['customers', 'staff', 'everyone'] as const;

const audienceOf = (text: string): Provider['audience'] => audiences.find((each) => each === text) ?? 'customers';

function audienceName(audience: Provider['audience']): string {
  if (audience === 'customers') return t('Customers');
  return audience === 'staff' ? t('Staff') : t('Customers and staff');
}

const titleOf = ({ key, name, source }: Provider): string =>
  key === 'oidc' && source === 'none' ? t('Other provider (OpenID Connect)') : name;

function State({ provider: { source, enabled } }: { readonly provider: Provider }) {
  if (source === 'none') return <span className="tone-muted">{t('Not set up')}</span>;
  if (source === 'console') return <Badge tone="ok">{t('On')}</Badge>;
  return (
    <span className="tone-muted">
      {enabled
        ? t('On, set by OAUTH_… in the environment. Change it there.')
        : t('Incomplete, set by OAUTH_… in the environment. Change it there.')}
    </span>
  );
}

interface ProviderFormProps {
  readonly provider: Provider;
  readonly redirect: string;
  readonly onClose: () => void;
}

function ProviderForm({ provider, redirect, onClose }: ProviderFormProps) {
  const { key, name, source, issuer, client_id, has_secret, audience, domains } = provider;
  const [companies, setCompanies] = useState<readonly number[]>(provider.companies);
  const change = useChange('PUT /settings/identity-providers.php', {
    quiet: true,
    touches: TOUCHED,
    done: () => toast(t('Identity provider saved')),
  });
  const remove = useChange('DELETE /settings/identity-providers.php?key={key}', {
    touches: TOUCHED,
    done: () => {
      toast(t('Identity provider removed'));
      onClose();
    },
  });
  const found = change.data?.data.found;
  const submit = (given: FormData) => {
    const client_secret = rawText(given, 'client_secret');
    const listed = (field: string) =>
      rawText(given, field)
        .split(/[\s,]+/)
        .filter(Boolean);
    change.mutate({
      body: {
        key,
        ...texts(given, 'issuer', 'client_id', 'name'),
        audience: audienceOf(rawText(given, 'audience')),
        ...(client_secret !== '' && { client_secret }),
        domains: listed('domains'),
        companies: [...companies],
      },
    });
  };
  return (
    <section className="provider-setup">
      <h3>{titleOf(provider)}</h3>
      <p>{rich('Register this redirect URI with the provider: {redirect}', { redirect: <code>{redirect}</code> })}</p>
      <Form
        submit={t('Test and save')}
        error={change.error}
        busy={change.isPending}
        onSubmit={submit}
        onCancel={onClose}
      >
        {key === 'microsoft' && (
          <TextField
            name="issuer"
            label={t('Directory ID')}
            value={issuer}
            hint={t('Also called tenant ID; only people of this directory can sign in.')}
            required
          />
        )}
        {(key === 'okta' || key === 'oidc') && (
          <TextField
            name="issuer"
            label={t('Issuer')}
            type="url"
            value={issuer}
            hint={t('Such as https://id.example.com.')}
            required
          />
        )}
        <TextField name="client_id" label={t('Client ID')} value={client_id} required />
        <TextField
          name="client_secret"
          label={t('Client secret')}
          type="password"
          autoComplete="new-password"
          required={!has_secret}
          hint={
            has_secret
              ? t('Leave blank to keep the current secret.')
              : t('Providers check the secret at the first sign-in, not when you save.')
          }
        />
        {key === 'oidc' && (
          <TextField
            name="name"
            label={t('Button label')}
            value={source === 'none' ? '' : name}
            hint={t('Such as Single sign-on.')}
          />
        )}
        <SelectField
          name="audience"
          label={t('Offered to')}
          value={audience}
          choices={audiences.map((value) => ({ value, label: audienceName(value) }))}
          hint={t('Offer only your own provider to staff: whoever administers it can sign in as any technician.')}
          required
        />
        <TextField name="domains" label={t('Email domains')} value={domains.join(', ')} hint={domainHints[key]} />
        <RecordsField
          type="company"
          name="companies"
          label={t('Companies')}
          another={t('Another company')}
          remove={t('Remove company')}
          hint={t(
            'Limits the sign-in of customers to these companies. If domains are set too, a person must match both.',
          )}
          chosen={companies}
          onChange={setCompanies}
        />
      </Form>
      {found && (
        <Note tone="ok" icon="check" title={t('The provider was found')}>
          <Facts>
            <Fact name={t('Issuer')}>{found.issuer}</Fact>
            <Fact name={t('Sign-in page')}>{found.authorization_endpoint}</Fact>
            <Fact name={t('Token endpoint')}>{found.token_endpoint}</Fact>
          </Facts>
        </Note>
      )}
      {(key === 'okta' || key === 'oidc') &&
        source === 'console' &&
        audience !== 'staff' &&
        domains.length + provider.companies.length === 0 && (
          <Note tone="warn" icon="alert" title={t('No customer can sign in with it for the first time yet')}>
            <p>{t('Set email domains or companies. The provider could otherwise claim any address.')}</p>
          </Note>
        )}
      {source === 'console' && (
        <p>
          <RemoveButton
            question={t('Remove {name}?', { name })}
            text={t('No one can sign in with it any more. Everyone can still sign in with their password.')}
            busy={remove.isPending}
            onRemove={() => remove.mutate({ key })}
          />
        </p>
      )}
    </section>
  );
}
