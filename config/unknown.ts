// Finds misspelt settings. The environment is full of other programs' variables, so only three kinds of names are checked.

/**
 * Names in `env` that look meant for Keelson but are none of `known`, each with what was probably meant:
 * 1. `KEELSON_…`: nobody else uses it. What Kubernetes sets for a service called "keelson" is let through.
 * 2. Almost a known name: one slip (a letter too many, too few, wrong, swapped; or small letters) in a name of eight or
 *    nine letters, two slips in a longer one. Shorter names (HOST, PORT) are never guessed: HOME and POST are too close.
 * 3. Beginning like several of ours or like nobody else's: `TRUST_PROXIES`, `S3_SECRET_KEY`. What was meant has most words in
 *    common with it.
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

/** Words with which our settings begin, and hardly anything else in the environment of a server. */
const OURS = /^(?:BACKUP|EGRESS|OAUTH|S3|SMTP|TENANTS?|TRUST)_/;

/** The setting with the same first word and most of the others, as they begin: `PROXIES` is like `PROXY`. */
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
  // Two slips in one short word make another word: DATABASE_PORT does not mean DATABASE_POOL.
  return (
    words.length !== expected.length ||
    expected.every((word, i) => slips(words[i] ?? '', word) <= (word.length < 8 ? 1 : 2))
  );
}

/** What Kubernetes sets for a service of the namespace: `KEELSON_SERVICE_HOST`, `KEELSON_WEB_PORT_3000_TCP_ADDR`, `KEELSON_PORT=tcp://10.0.0.1:3000`. */
function isFromKubernetes(name: string, value: string): boolean {
  if (/_SERVICE_(HOST|PORT(_\w+)?)$/.test(name) || /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name))
    return true;
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);
}

/** How many single slips turn `a` into `b`, swapped neighbours counting as one; 3 stands for "many". */
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
