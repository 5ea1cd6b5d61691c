// What a language model says, as text that can do no harm: no control characters, bounded, and no link that leads away from
// this installation, because a link can carry off what the model has read.

const LONGEST = 2000;

/** Dots that programs take for one. */
const DOTS = /[\u3002\uff0e\uff61\u2024\ufe52]/g;
/** Control and invisible characters, which hide links and change the direction of writing. Line breaks and tabs stay. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]|(?![\n\t])\p{Cc}/gu;
const TAG = /<[a-z/!][^<>\n]{0,500}>/gi;
const MARKDOWN_LINK = /!?\[([^\]\n]{0,300})\]\s{0,3}\(([^)\n]{0,500})\)/g;
const REFERENCE = /^[ \t]{0,8}\[[^\]\n]{1,300}\]:.*$/gm;
/** `https://…`, `https:\…`, `javascript:…`: whatever a program might open. */
const ADDRESS =
  /\b[a-z][a-z\d+.-]{0,30}:[/\\]+[^\s<>"'“”]*|\b(?:https?|ftps?|file|data|javascript|vbscript|blob|mailto|tel|sms|whatsapp|tg|slack|msteams|zoommtg|intent|ms-[a-z]{1,20}):[^\s<>"'“”]+|[/\\]{2}[^\s/\\<>"'“”]{1,100}\.[^\s<>"'“”]*/giu;
/** `www.example.com`, `example.com/path`, `somebody@example.com`: programs make links of these by themselves. */
const HOST = /[\p{L}\p{N}_%+@.-]{1,100}\.(?:xn--[a-z\d-]{1,60}|\p{L}{2,60})(?:[:/?#][^\s<>"'“”]*)?/giu;
/** What has a dot and is the name of a file; no top-level domain is called like that. */
const FILE =
  /^[^@:/?#]+\.(?:exe|msi|dll|sys|bat|cmd|ps1|reg|ini|cfg|conf|log|txt|csv|json|xml|yml|yaml|pdf|docx?|xlsx?|pptx?|rtf|png|jpe?g|gif|bmp|svg|html?|iso|dmg|pst|ost|tmp|bak|dat|lnk|inf|cer|pfx|pem)$/i;

export const REMOVED = '(link removed)';

/** The text without links, except those to `own`, the address of this installation. */
export function plainText(text: string, own: string): string {
  const clean = text
    .slice(0, LONGEST * 2)
    .normalize('NFKC')
    .replace(DOTS, '.')
    .replace(INVISIBLE, '');
  const kept: string[] = [];
  const keep = (address: string) => `\0${kept.push(address) - 1}\0`;
  const without = clean
    .replace(TAG, ' ')
    .replace(REFERENCE, '')
    .replace(MARKDOWN_LINK, (_, words: string, address: string) => `${words} ${address}`)
    .replace(ADDRESS, (address) => (isOwn(address, own) ? keep(address) : REMOVED))
    .replace(HOST, disarmed)
    .replace(/\0(\d+)\0/g, (_, at: string) => kept[Number(at)] ?? '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return without.length <= LONGEST ? without : `${without.slice(0, LONGEST).replace(/\s+\S*$/, '')} …`;
}

/** A name with dots stays readable (`Node. js`), and is no link any more. */
function disarmed(host: string): string {
  if (FILE.test(host)) return host;
  return /[@:/?#]/.test(host) ? REMOVED : host.replaceAll('.', '. ').trimEnd();
}

/** The same origin, and nothing before or behind it that a program could read differently. */
function isOwn(address: string, own: string): boolean {
  const [url, base] = [URL.parse(address), URL.parse(own)];
  if (!url || !base || url.origin !== base.origin || url.username || url.password) return false;
  return /^https?:\/\/[\w.:-]+(?:\/[\w./?=&%#-]*)?$/.test(address);
}
