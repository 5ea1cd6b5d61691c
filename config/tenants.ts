// Several service providers in one process (R-01, NW-02): a JSON file lists their hosts and their own settings.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { addressesOf } from '../packages/kit/addresses.ts';
import { readConfig, settings, type Config } from './config.ts';

export interface TenantConfig {
  readonly config: Config;
  /** In lower case, without ports. Empty: this tenant serves every host. */
  readonly hosts: readonly string[];
}

export interface Tenancy {
  /** The process-wide settings. */
  readonly config: Config;
  readonly tenants: readonly TenantConfig[];
}

type Env = Readonly<Record<string, string | undefined>>;

/** Settings the process has only once, whichever tenant it serves. */
const ofTheProcess: ReadonlySet<string> = new Set([
  'PORT',
  'HOST',
  'REDIS_URL',
  'WEB_PROCESSES',
  'TRUST_PROXY',
  'LOG_LEVEL',
  'METRICS_TOKEN',
  'PLUGINS_DIR',
  'TENANTS_FILE',
]);

/**
 * Settings no two tenants may share, so none comes from the environment. DATA_DIR there is the parent folder of all.
 */
const ofOneTenant: readonly string[] = [
  'BASE_URL',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'MASTER_KEY_FILE',
  'OPERATOR_TENANT',
  'TENANT_NAME',
  'TENANT_SLUG',
];

const Host = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])$/, 'must be host names without ports');
const Value = z.union([z.string(), z.number(), z.boolean()], 'must be a string, number or boolean').transform(String);
const File = z
  .array(z.object({ hosts: z.array(Host).default([]) }).catchall(Value))
  .min(1, 'must list at least one tenant');

/** Returns this process's tenants: those of TENANTS_FILE, or the one the environment describes, for every host. */
export function loadTenancy(): Tenancy {
  return readTenancy(process.env);
}

/** Returns a tenancy with this one tenant, for every host. */
export function oneTenant(config: Config): Tenancy {
  return { config, tenants: [{ config, hosts: [] }] };
}

/**
 * Returns the tenants described by `env` and the file it names.
 * @throws one Error with a sentence for every fault, one per line, as `readConfig` does
 */
export function readTenancy(env: Env, readFile = (path: string) => readFileSync(path, 'utf8')): Tenancy {
  const config = readConfig(env);
  if (!config.tenantsFile) return oneTenant(config);
  const problems = ofOneTenant
    .filter((name) => env[name]?.trim())
    .map((name) => `${name} is set for each tenant in TENANTS_FILE, not in the environment.`);
  const tenants = entriesOf(config.tenantsFile, readFile).flatMap((entry, i) => {
    try {
      return [tenantOf(entry, env, config)];
    } catch (error) {
      const label = entry['TENANT_SLUG'] ?? i + 1;
      problems.push(
        ...String((error as Error).message)
          .split('\n')
          .map((line) => `TENANTS_FILE, tenant ${label}: ${line}`),
      );
      return [];
    }
  });
  problems.push(...clashes(tenants));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { config, tenants };
}

type Entry = z.output<typeof File>[number];

function entriesOf(path: string, readFile: (path: string) => string): readonly Entry[] {
  let value: unknown;
  try {
    value = JSON.parse(readFile(path));
  } catch (error) {
    // The parser's own message repeats its input, which may contain a password.
    const why =
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    throw new Error(`TENANTS_FILE ${path} ${why}.`, { cause: error });
  }
  const { data, error } = File.safeParse(value);
  if (data) return data;
  const faults = error.issues.map((issue) =>
    ['TENANTS_FILE', issue.path.join('.'), `${issue.message}.`].filter(Boolean).join(' '),
  );
  throw new Error(faults.join('\n'));
}

function tenantOf({ hosts, ...given }: Entry, env: Env, { dataDir }: Config): TenantConfig {
  const names = Object.values(settings).map(({ name }) => name);
  const problems = Object.keys(given).flatMap((name) => {
    if (ofTheProcess.has(name)) return [`${name} applies to the whole process: set it in the environment.`];
    if (!names.includes(name)) return [`${name} is not a setting of Keelson.`];
    return [];
  });
  for (const name of ['TENANT_SLUG', 'BASE_URL']) if (!given[name]) problems.push(`${name} is missing.`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const common = Object.entries(env).filter(([name]) => names.includes(name) && !ofOneTenant.includes(name));
  const config = readConfig(
    {
      ...Object.fromEntries(common),
      OPERATOR_TENANT: 'false',
      DATA_DIR: join(dataDir, given['TENANT_SLUG'] ?? ''),
      ...given,
      TENANTS_FILE: undefined,
    },
    dataDir,
  );
  const named = new URL(config.baseUrl).hostname;
  return { config, hosts: [...new Set([named, ...hosts])] };
}

/** Finds settings two tenants must not share: one would serve the other's requests or write to its database. */
function clashes(tenants: readonly TenantConfig[]): string[] {
  const shared = (what: string, of: (tenant: TenantConfig) => readonly string[]) => {
    const owners = Map.groupBy(
      tenants.flatMap((tenant) => of(tenant).map((value) => ({ value, slug: tenant.config.tenantSlug }))),
      ({ value }) => value,
    );
    return [...owners.values()]
      .filter((each) => each.length > 1)
      .map((each) => `TENANTS_FILE: ${each.map(({ slug }) => slug).join(' and ')} have the same ${what}.`);
  };
  const operators = tenants.filter(({ config }) => config.operatorTenant);
  return [
    ...shared('TENANT_SLUG', ({ config }) => [config.tenantSlug]),
    ...shared('host', ({ hosts }) => hosts),
    ...shared('DATA_DIR', ({ config }) => [resolve(config.dataDir)]),
    ...shared('FILES_DIR', ({ config }) => [resolve(config.filesDir)]),
    ...shared('S3_PREFIX', ({ config }) =>
      config.s3Url ? [`${config.s3Url} ${config.s3Prefix ?? config.tenantSlug}`] : [],
    ),
    ...shared('BACKUP_S3_PREFIX', ({ config }) =>
      config.backupS3Url ? [`${config.backupS3Url} ${config.backupS3Prefix ?? config.tenantSlug}`] : [],
    ),
    ...shared('MASTER_KEY_FILE', ({ config }) => [resolve(config.masterKeyFile)]),
    ...shared('database', ({ config: { databaseUrl, databaseReadUrl } }) => {
      const urls = [databaseUrl, databaseReadUrl].flatMap((each) => (each ? addressesOf(each) : []));
      return [...new Set(urls.map(placeOf))];
    }),
    ...(operators.length > 1 ? ['TENANTS_FILE: only one tenant can be the OPERATOR_TENANT.'] : []),
  ];
}

function placeOf(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port || 3306}${pathname}`;
}
