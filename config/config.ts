// Every setting, read from process.env. config/example.json lists the settings for operators.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { isZone } from '../packages/kit/moment.ts';
import { assistantSettings } from './assistant.ts';
import { backupSettings } from './backup.ts';
import { identitySettings } from './identity.ts';
import { isOrigin, isRange, list, matching, oneOf, text, url, urls, whole, yesNo } from './kinds.ts';
import { mailSettings } from './mail.ts';
import { aboutOf, optional, setting, type Setting } from './setting.ts';
import { storageSettings } from './storage.ts';
import { findUnknown } from './unknown.ts';

export type { Setting } from './setting.ts';

const databases = () =>
  urls(['mysql:', 'mariadb:'], 'must be a URL such as mysql://user:password@host:3306/keelson', (at) =>
    /^\/[\w$-]{1,64}$/.test(at.pathname),
  );

const Environment = z.object({
  port: setting('PORT', '3000', whole(0, 65_535), 'The port to listen on; 0 picks any free port.'),
  host: setting(
    'HOST',
    '127.0.0.1',
    matching(/^[\w.:%-]{1,255}$/, 'must be a host name or an address'),
    'The address to listen on; use 0.0.0.0 for all interfaces, as in a container.',
  ),
  baseUrl: optional(
    'BASE_URL',
    'http://HOST:PORT',
    url(
      ['http:', 'https:'],
      'must be a URL such as https://desk.example.com, without user, query or fragment',
      (at) => !at.username && !at.password && !at.search && !at.hash,
    ),
    'The public URL of this installation. It determines the accepted host name, links in mails and whether cookies are Secure.',
  ),
  dataDir: setting('DATA_DIR', 'data', text(1000), 'The folder for the embedded database, uploads and the master key.'),
  databaseUrl: optional(
    'DATABASE_URL',
    null,
    databases(),
    'The MySQL or MariaDB database, as mysql://user:password@host:3306/keelson; the nodes of a cluster as host:3306,host:3306. With ?ssl=true the connection is encrypted and the certificate of the server must be trusted and match the host name. If unset, an SQLite file in DATA_DIR is used.',
  ),
  databasePool: setting('DATABASE_POOL', '10', whole(1, 200), 'Number of connections to DATABASE_URL.'),
  databaseReadUrl: optional(
    'DATABASE_READ_URL',
    null,
    databases(),
    'Read replicas of DATABASE_URL, in the same form; reports and exports read their rows from the first one that is recent enough. If unset, they read from DATABASE_URL.',
  ),
  databaseReadMaxLagSeconds: setting(
    'DATABASE_READ_MAX_LAG_SECONDS',
    '10',
    whole(1, 600),
    'How many seconds a read replica may be behind; one that is further behind is not used.',
  ),
  redisUrl: optional(
    'REDIS_URL',
    null,
    urls(
      ['redis:', 'rediss:', 'redis+sentinel:'],
      'must be a URL such as redis://host:6379 or redis+sentinel://host:26379,host:26379/primary',
      (at) => at.protocol !== 'redis+sentinel:' || /^\/[\w.-]{1,64}$/.test(at.pathname),
    ).refine(
      (value) => value.startsWith('redis+sentinel:') || !value.includes(','),
      'must name one server; several need Sentinel: redis+sentinel://host:26379,host:26379/primary',
    ),
    'Redis server that lets several processes share rate limits and sign-in limits; with Sentinel redis+sentinel://host:26379,host:26379/primary, where the credentials are those of the servers; the Sentinels’ own password is added as ?sentinel_password=…. If unset, each process counts separately.',
  ),
  webProcesses: setting(
    'WEB_PROCESSES',
    '1',
    whole(1, 64),
    'Number of processes that serve requests, all on PORT; above 1, another process runs the jobs. Requires DATABASE_URL and REDIS_URL.',
  ),
  tenantSlug: setting(
    'TENANT_SLUG',
    'default',
    matching(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'must be 1 to 40 of a-z, 0-9 and inner hyphens'),
    'The short name of the service provider; part of the cookie names.',
  ),
  tenantName: setting('TENANT_NAME', 'Keelson', text(120), 'The display name of the service provider.'),
  operatorTenant: setting('OPERATOR_TENANT', 'true', yesNo(), 'Whether this installation may read the error log.'),
  tenantsFile: optional(
    'TENANTS_FILE',
    null,
    text(1000),
    'A JSON file with several service providers, each with its own hosts and database. If unset, there is one provider for any host.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    '0',
    whole(0, 10),
    'Number of reverse proxies in front whose X-Forwarded-For entries are trusted. Whether people use https follows from BASE_URL.',
  ),
  egressAllowCidrs: setting(
    'EGRESS_ALLOW_CIDRS',
    '',
    list(isRange, 'must list address ranges such as 10.1.0.0/16, separated by commas'),
    'Internal address ranges that webhooks and other outgoing requests may reach, separated by commas.',
  ),
  masterKeyFile: optional(
    'MASTER_KEY_FILE',
    'DATA_DIR/master.key',
    text(1000),
    'The file with the key that encrypts stored secrets, created on first start. Back it up separately from the database.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'Log level: trace, debug, info, warn, error, fatal or silent.',
  ),
  metricsToken: optional(
    'METRICS_TOKEN',
    null,
    matching(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 printable characters without spaces'),
    'The bearer token for /metrics. If unset, only this machine can read it.',
  ),
  accessTokenSeconds: setting(
    'ACCESS_TOKEN_SECONDS',
    '900',
    whole(60, 86_400),
    'How long a helpdesk API access token is valid.',
  ),
  passwordMinimum: setting('PASSWORD_MINIMUM', '12', whole(8, 64), 'Minimum length of a new password.'),
  passwordCost: setting(
    'PASSWORD_COST',
    '12',
    whole(10, 15),
    'The bcrypt cost of stored passwords; each increment doubles the time a sign-in takes.',
  ),
  timeZone: optional(
    'TIME_ZONE',
    null,
    z.string().refine(isZone, 'must be a time zone such as Europe/Berlin'),
    'The time zone of schedules, documents and days. Stored times are UTC. If unset, the time zone set in the console is used, or UTC.',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    '',
    list(isOrigin, 'must list origins such as https://app.example.com, separated by commas'),
    'Other web origins whose pages may call the API, separated by commas.',
  ),
  keepEvents: setting(
    'KEEP_EVENTS',
    'received',
    oneOf('received', 'all'),
    'Which events are kept for 30 days: received keeps those that a webhook, workflow or plugin receives; all also keeps the rest, for reading from the database.',
  ),
  pluginsDir: setting('PLUGINS_DIR', 'plugins', text(1000), 'The folder with third-party plugins.'),
  fontsDir: setting(
    'FONTS_DIR',
    '/usr/share/fonts',
    text(1000),
    'The folder with additional Noto Sans fonts for PDFs, such as for Chinese, Japanese and Korean.',
  ),
  cookiePrefix: setting(
    'COOKIE_PREFIX',
    '',
    oneOf('', '__Host-', '__Secure-'),
    'Prefix of cookie names: __Host- or __Secure-; requires an https BASE_URL.',
  ),
  ...identitySettings,
  ...mailSettings,
  ...storageSettings,
  ...backupSettings,
  ...assistantSettings,
});

/** All settings as typed values. Keys are the names in camelCase. */
export interface Config extends Readonly<z.infer<typeof Environment>> {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly masterKeyFile: string;
  readonly filesDir: string;
  readonly backupDir: string;
}

/** All settings as data, the source of config/example.json and docs/settings.md. */
export const settings: Readonly<Record<string, Setting>> = Object.freeze(
  Object.fromEntries(
    Object.entries(Environment.shape).map(([key, type]) => {
      const setting = aboutOf(type);
      if (!setting) throw new Error(`The setting ${key} has no description`);
      return [key, setting];
    }),
  ),
);

/** Returns the settings of this process. @throws as `readConfig` does */
export function loadConfig(): Config {
  return readConfig(process.env);
}

/**
 * Returns the settings in `env`, with defaults. An empty value counts as not set.
 * @param made a folder about to be created, which may contain others
 * @throws one Error with a sentence for every unknown or invalid setting, one per line
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, made?: string): Config {
  const names = Object.values(settings).map(({ name }) => name);
  const problems = findUnknown(env, names).map(({ name, meant }) =>
    meant ? `${name} is not a setting; did you mean ${meant}?` : `${name} is not a setting of Keelson.`,
  );
  const given = Object.entries(settings).map(([key, { name }]) => [key, env[name]?.trim() || undefined]);
  const read = Environment.safeParse(Object.fromEntries(given));
  for (const issue of read.error?.issues ?? []) {
    problems.push(`${settings[String(issue.path[0])]?.name} ${issue.message}.`);
  }
  if (read.data?.cookiePrefix && !read.data.baseUrl?.startsWith('https:')) {
    problems.push('COOKIE_PREFIX requires a BASE_URL that starts with https:.');
  }
  const shared = read.data?.redisUrl && (read.data.databaseUrl || read.data.tenantsFile);
  if (read.data && read.data.webProcesses > 1 && !shared) {
    problems.push('WEB_PROCESSES above 1 requires DATABASE_URL and REDIS_URL.');
  }
  // With TENANTS_FILE, each tenant has its own.
  if (read.data?.databaseReadUrl && !read.data.databaseUrl && !read.data.tenantsFile) {
    problems.push('DATABASE_READ_URL requires DATABASE_URL: SQLite has no replicas.');
  }
  if (read.data?.s3Url && !(read.data.s3AccessKeyId && read.data.s3SecretAccessKey)) {
    problems.push('S3_URL requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.');
  }
  if (read.data?.backupS3Url && !(read.data.backupS3AccessKeyId && read.data.backupS3SecretAccessKey)) {
    problems.push('BACKUP_S3_URL requires BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.');
  }
  if (read.data?.backupCron && !read.data.backupKey) problems.push('BACKUP_CRON requires BACKUP_KEY.');
  if (read.data?.aiBaseUrl && !read.data.aiModel) problems.push('AI_BASE_URL requires AI_MODEL.');
  if (read.data?.smtpUrl && !read.data.mailFrom) problems.push('SMTP_URL requires MAIL_FROM.');
  for (const name of ['DATA_DIR', 'FILES_DIR', 'BACKUP_DIR', 'MASTER_KEY_FILE']) {
    const missing = missingFolder(env[name]?.trim());
    if (missing && missing !== made) problems.push(`${name}: the parent folder ${missing} does not exist.`);
  }
  if (problems.length > 0 || !read.data) throw new Error(problems.join('\n'));
  const { data } = read;
  return Object.freeze({
    ...data,
    baseUrl: (data.baseUrl ?? localUrl(data.host, data.port)).replace(/\/+$/, ''),
    masterKeyFile: data.masterKeyFile ?? join(data.dataDir, 'master.key'),
    filesDir: data.filesDir ?? join(data.dataDir, 'files'),
    backupDir: data.backupDir ?? join(data.dataDir, 'backups'),
  });
}

/**
 * Returns the parent folder of an absolute path if neither exists: an unmounted disk, or a typo. Creating it would put
 * the data on the underlying disk, where no one would look for it.
 */
function missingFolder(path: string | undefined): string | undefined {
  if (!path || !isAbsolute(path) || existsSync(path)) return undefined;
  const folder = dirname(path);
  return existsSync(folder) ? undefined : folder;
}

/** Returns the URL of this process on this machine. */
function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
