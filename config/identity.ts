// Settings for authentication: identity providers (A-17, SF-11) and the second factor (SF-31).
import { list, matching, oneOf, text, url } from './kinds.ts';
import { optional, setting } from './setting.ts';

const word = () => matching(/^[\x21-\x7e]{1,400}$/, 'must be 1 to 400 printable characters without spaces');

const issuer = () =>
  url(
    ['http:', 'https:'],
    'must be a URL such as https://id.example.com; http only on this machine itself',
    (at) =>
      at.href.length <= 255 &&
      !at.search &&
      !at.hash &&
      !at.username &&
      (at.protocol === 'https:' || isLoopback(at.hostname)),
  );

const ofClient = (provider: string) => `The client id that ${provider} gave this installation.`;
const ofSecret = (provider: string) =>
  `The client secret that belongs to it; ${provider} is offered when both are set.`;

const domains = (name: string, meaning: string) =>
  setting(
    name,
    '',
    list(isMailDomain, 'must list mail domains such as example.com, separated by commas, or be *'),
    meaning,
  );
const companies = (name: string, provider: string) =>
  setting(
    name,
    '',
    list(isNumber, 'must list numbers of companies, separated by commas'),
    `The companies whose people ${provider} may sign in; with both lists set, a person must be on both.`,
  );

export const identitySettings = {
  oauthGoogleClientId: optional('OAUTH_GOOGLE_CLIENT_ID', null, word(), ofClient('Google')),
  oauthGoogleClientSecret: optional('OAUTH_GOOGLE_CLIENT_SECRET', null, word(), ofSecret('Google')),
  oauthGoogleDomains: domains(
    'OAUTH_GOOGLE_DOMAINS',
    'Mail domains that Google may vouch for. Without any it vouches for gmail.com and for what a Workspace account proves of its own domain.',
  ),
  oauthGoogleCompanies: companies('OAUTH_GOOGLE_COMPANIES', 'Google'),
  oauthMicrosoftTenantId: optional(
    'OAUTH_MICROSOFT_TENANT_ID',
    null,
    matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be the directory’s id, a UUID'),
    'The id of the Microsoft Entra directory whose people may sign in.',
  ),
  oauthMicrosoftClientId: optional('OAUTH_MICROSOFT_CLIENT_ID', null, word(), ofClient('Microsoft')),
  oauthMicrosoftClientSecret: optional('OAUTH_MICROSOFT_CLIENT_SECRET', null, word(), ofSecret('Microsoft')),
  oauthMicrosoftDomains: domains(
    'OAUTH_MICROSOFT_DOMAINS',
    'Mail domains that the directory may vouch for. Without any it vouches for those that Microsoft says it owns.',
  ),
  oauthMicrosoftCompanies: companies('OAUTH_MICROSOFT_COMPANIES', 'the Microsoft directory'),
  oauthOktaIssuer: optional('OAUTH_OKTA_ISSUER', null, issuer(), 'The Okta issuer, such as https://acme.okta.com.'),
  oauthOktaClientId: optional('OAUTH_OKTA_CLIENT_ID', null, word(), ofClient('Okta')),
  oauthOktaClientSecret: optional('OAUTH_OKTA_CLIENT_SECRET', null, word(), ofSecret('Okta')),
  oauthOktaDomains: domains(
    'OAUTH_OKTA_DOMAINS',
    'Mail domains that Okta may vouch for; * for all, when it is your own. Without domains or companies nobody is linked through it.',
  ),
  oauthOktaCompanies: companies('OAUTH_OKTA_COMPANIES', 'Okta'),
  oauthOidcIssuer: optional(
    'OAUTH_OIDC_ISSUER',
    null,
    issuer(),
    'The issuer of any other OpenID Connect provider, such as https://id.example.com/realms/staff.',
  ),
  oauthOidcClientId: optional('OAUTH_OIDC_CLIENT_ID', null, word(), ofClient('that provider')),
  oauthOidcClientSecret: optional('OAUTH_OIDC_CLIENT_SECRET', null, word(), ofSecret('that provider')),
  oauthOidcName: setting('OAUTH_OIDC_NAME', 'Single sign-on', text(60), 'What people read on that provider’s button.'),
  oauthOidcDomains: domains(
    'OAUTH_OIDC_DOMAINS',
    'Mail domains that that provider may vouch for; * for all, when it is your own. Without domains or companies nobody is linked through it.',
  ),
  oauthOidcCompanies: companies('OAUTH_OIDC_COMPANIES', 'that provider'),
  oauthRedirectUris: setting(
    'OAUTH_REDIRECT_URIS',
    '',
    list(isRedirect, 'must list https URLs without fragment, separated by commas; http only on this machine itself'),
    'Pages outside BASE_URL where people may arrive after signing in with a provider. The first is the usual one, BASE_URL/helpdesk without any.',
  ),
  technicianSecondFactor: setting(
    'TECHNICIAN_SECOND_FACTOR',
    'optional',
    oneOf('optional', 'required'),
    'Whether technicians must prove who they are by a code besides the password: optional or required.',
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
