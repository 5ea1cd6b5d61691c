// Finds misspelt settings. The environment is full of other programs' variables, so only three kinds of names are
// checked.

/**
 * Returns names in `env` that look meant for Keelson but are not in `known`, each with the likely intended name:
 * 1. `KEELSON_…`: no other program uses it. Variables Kubernetes sets for a service called "keelson" are allowed.
 * 2. Almost a known name: one edit (a letter too many, too few, wrong, swapped; or lower case) in a name of eight or
 *    nine letters, two edits in a longer one. Shorter names (HOST, PORT) are not guessed: HOME and POST are too close.
 * 3. A name with the prefix of several of our settings, or with a prefix unique to us: `TRUST_PROXIES`,
 *    `S3_SECRET_KEY`. The suggestion is the setting with the most words in common.
 */
export function findUnknown(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): { name: string; meant: string | undefined }[] {
  const names = Object.keys(env).filter((name) => !known.includes(name));
  return names.flatMap((name) => {
    if (isFromKubernetes(name, env[name] ?? '')) return [];
    const ours = name.startsWith('KEELSON_');
    const plain = ours ? name.slice('KEELSON_'.length) : name;
    const meant = known.find((setting) => (ours && plain === setting) || isNear(plain, setting));
    if (ours || meant) return [{ name, meant }];
    return OURS.test(name) ? [{ name, meant: likest(name, known) }] : [];
  });
}

/** Prefixes of our settings that hardly any other variable on a server has. */
const OURS = /^(?:BACKUP|EGRESS|OAUTH|S3|SMTP|TENANTS?|TRUST)_/;

/** Returns the setting with the same first word and most of the others by stem: `PROXIES` matches `PROXY`. */
function likest(name: string, known: readonly string[]): string | undefined {
  const stems = (of: string) => of.split('_').map((word) => word.replace(/(?:IES|S|Y)$/, ''));
  const given = stems(name);
  const shared = (setting: string) => stems(setting).filter((word) => given.includes(word)).length;
  const [best] = known
    .filter((setting) => stems(setting)[0] === given[0] && shared(setting) > 1)
    .toSorted((a, b) => shared(b) - shared(a) || a.length - b.length);
  return best;
}

function isNear(name: string, setting: string): boolean {
  if (setting.length < 8) return false;
  const given = name.toUpperCase();
  if (slips(given, setting) > (setting.length < 10 ? 1 : 2)) return false;
  const words = given.split('_');
  const expected = setting.split('_');
  // Two edits in one short word make another word: DATABASE_PORT does not mean DATABASE_POOL.
  return (
    words.length !== expected.length ||
    expected.every((word, i) => slips(words[i] ?? '', word) <= (word.length < 8 ? 1 : 2))
  );
}

/**
 * Returns true for variables Kubernetes sets for a service: `KEELSON_SERVICE_HOST`, `KEELSON_WEB_PORT_3000_TCP_ADDR`,
 * `KEELSON_PORT=tcp://10.0.0.1:3000`.
 */
function isFromKubernetes(name: string, value: string): boolean {
  if (/_SERVICE_(HOST|PORT(_\w+)?)$/.test(name) || /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name))
    return true;
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);
}

/** Returns the edit distance from `a` to `b`, counting a swap of neighbours as one. 3 stands for "many". */
function slips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 3) + 1, (row[j - 1] ?? 3) + 1, (last[j - 1] ?? 3) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) best = Math.min(best, (before[j - 2] ?? 3) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 3;
}
