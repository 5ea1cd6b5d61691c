// Settings for authentication: identity providers (A-17, SF-11) and the second factor (SF-31).
import { list, matching, oneOf, text, url } from './kinds.ts';
import { optional, setting } from './setting.ts';

const word = () => matching(/^[\x21-\x7e]{1,400}$/, 'must be 1 to 400 printable characters without spaces');

const issuer = () =>
  url(
    ['http:', 'https:'],
    'must be a URL such as https://id.example.com; http is allowed only for this machine',
    (at) =>
      at.href.length <= 255 &&
      !at.search &&
      !at.hash &&
      !at.username &&
      (at.protocol === 'https:' || isLoopback(at.hostname)),
  );

const ofClient = (provider: string) => `The client ID registered with ${provider}.`;
const ofSecret = (provider: string) => `The matching client secret; ${provider} is offered when both are set.`;

const domains = (name: string, meaning: string) =>
  setting(name, '', list(isMailDomain, 'must be mail domains such as example.com, separated by commas, or *'), meaning);
const companies = (name: string, provider: string) =>
  setting(
    name,
    '',
    list(isNumber, 'must be company numbers separated by commas'),
    `The companies whose people can sign in through ${provider}. If both lists are set, a person must match both.`,
  );
const audience = (name: string, provider: string) =>
  setting(
    name,
    'customers',
    oneOf('customers', 'staff', 'everyone'),
    `Who can sign in through ${provider}: customers, staff or everyone. For staff it must be your own.`,
  );

export const identitySettings = {
  oauthGoogleClientId: optional('OAUTH_GOOGLE_CLIENT_ID', null, word(), ofClient('Google')),
  oauthGoogleClientSecret: optional('OAUTH_GOOGLE_CLIENT_SECRET', null, word(), ofSecret('Google')),
  oauthGoogleDomains: domains(
    'OAUTH_GOOGLE_DOMAINS',
    'Mail domains that Google may verify. Defaults to gmail.com and the Workspace account’s own domain.',
  ),
  oauthGoogleCompanies: companies('OAUTH_GOOGLE_COMPANIES', 'Google'),
  oauthGoogleAudience: audience('OAUTH_GOOGLE_AUDIENCE', 'Google'),
  oauthMicrosoftTenantId: optional(
    'OAUTH_MICROSOFT_TENANT_ID',
    null,
    matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a directory ID (UUID)'),
    'The ID of the Microsoft Entra directory whose people can sign in.',
  ),
  oauthMicrosoftClientId: optional('OAUTH_MICROSOFT_CLIENT_ID', null, word(), ofClient('Microsoft')),
  oauthMicrosoftClientSecret: optional('OAUTH_MICROSOFT_CLIENT_SECRET', null, word(), ofSecret('Microsoft')),
  oauthMicrosoftDomains: domains(
    'OAUTH_MICROSOFT_DOMAINS',
    'Mail domains that the directory may verify. Defaults to the domains Microsoft lists as verified for it.',
  ),
  oauthMicrosoftCompanies: companies('OAUTH_MICROSOFT_COMPANIES', 'the Microsoft directory'),
  oauthMicrosoftAudience: audience('OAUTH_MICROSOFT_AUDIENCE', 'the Microsoft directory'),
  oauthOktaIssuer: optional('OAUTH_OKTA_ISSUER', null, issuer(), 'The Okta issuer, such as https://acme.okta.com.'),
  oauthOktaClientId: optional('OAUTH_OKTA_CLIENT_ID', null, word(), ofClient('Okta')),
  oauthOktaClientSecret: optional('OAUTH_OKTA_CLIENT_SECRET', null, word(), ofSecret('Okta')),
  oauthOktaDomains: domains(
    'OAUTH_OKTA_DOMAINS',
    'Mail domains that Okta may verify; use * for all if it is your own. If neither domains nor companies are set, no one is linked through it.',
  ),
  oauthOktaCompanies: companies('OAUTH_OKTA_COMPANIES', 'Okta'),
  oauthOktaAudience: audience('OAUTH_OKTA_AUDIENCE', 'Okta'),
  oauthOidcIssuer: optional(
    'OAUTH_OIDC_ISSUER',
    null,
    issuer(),
    'The issuer of any other OpenID Connect provider, such as https://id.example.com/realms/staff.',
  ),
  oauthOidcClientId: optional('OAUTH_OIDC_CLIENT_ID', null, word(), ofClient('that provider')),
  oauthOidcClientSecret: optional('OAUTH_OIDC_CLIENT_SECRET', null, word(), ofSecret('that provider')),
  oauthOidcName: setting('OAUTH_OIDC_NAME', 'Single sign-on', text(60), 'The label of that provider’s button.'),
  oauthOidcDomains: domains(
    'OAUTH_OIDC_DOMAINS',
    'Mail domains that this provider may verify; use * for all if it is your own. If neither domains nor companies are set, no one is linked through it.',
  ),
  oauthOidcCompanies: companies('OAUTH_OIDC_COMPANIES', 'that provider'),
  oauthOidcAudience: audience('OAUTH_OIDC_AUDIENCE', 'that provider'),
  oauthRedirectUris: setting(
    'OAUTH_REDIRECT_URIS',
    '',
    list(
      isRedirect,
      'must be https URLs without fragments, separated by commas; http is allowed only for this machine',
    ),
    'Pages outside BASE_URL that sign-in with a provider may redirect to. The first is the default; if unset, it is BASE_URL/helpdesk.',
  ),
  technicianSecondFactor: setting(
    'TECHNICIAN_SECOND_FACTOR',
    'optional',
    oneOf('optional', 'required'),
    'Whether technicians must use two-factor authentication: optional or required.',
  ),
};

function isRedirect(value: string): boolean {
  const at = URL.parse(value);
  if (!at || at.hash || at.username || !/^[\x21-\x7e]+$/.test(value)) return false;
  return at.protocol === 'https:' || (at.protocol === 'http:' && isLoopback(at.hostname));
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function isMailDomain(value: string): boolean {
  return value === '*' || /^(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i.test(value);
}

function isNumber(value: string): boolean {
  return /^[1-9]\d{0,14}$/.test(value);
}
