// Sanitises language-model output: no control characters, bounded length, and no links away from this installation,
// because a link can exfiltrate what the model has read.

const LONGEST = 2000;

/** Characters that programs treat as a dot. */
const DOTS = /[\u3002\uff0e\uff61\u2024\ufe52]/g;
/**
 * Control and invisible characters, which can hide links and change the writing direction. Line breaks and tabs stay.
 */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]|(?![\n\t])\p{Cc}/gu;
const TAG = /<[a-z/!][^<>\n]{0,500}>/gi;
const MARKDOWN_LINK = /!?\[([^\]\n]{0,300})\]\s{0,3}\(([^)\n]{0,500})\)/g;
const REFERENCE = /^[ \t]{0,8}\[[^\]\n]{1,300}\]:.*$/gm;
/** `https://…`, `https:\…`, `javascript:…`: anything a program might open. */
const ADDRESS =
  /\b[a-z][a-z\d+.-]{0,30}:[/\\]+[^\s<>"'“”]*|\b(?:https?|ftps?|file|data|javascript|vbscript|blob|mailto|tel|sms|whatsapp|tg|slack|msteams|zoommtg|intent|ms-[a-z]{1,20}):[^\s<>"'“”]+|[/\\]{2}[^\s/\\<>"'“”]{1,100}\.[^\s<>"'“”]*/giu;
/** `www.example.com`, `example.com/path`, `someone@example.com`: programs turn these into links. */
const HOST = /[\p{L}\p{N}_%+@.-]{1,100}\.(?:xn--[a-z\d-]{1,60}|\p{L}{2,60})(?:[:/?#][^\s<>"'“”]*)?/giu;
/** File names with a dot. None of these extensions is a top-level domain. */
const FILE =
  /^[^@:/?#]+\.(?:exe|msi|dll|sys|bat|cmd|ps1|reg|ini|cfg|conf|log|txt|csv|json|xml|yml|yaml|pdf|docx?|xlsx?|pptx?|rtf|png|jpe?g|gif|bmp|svg|html?|iso|dmg|pst|ost|tmp|bak|dat|lnk|inf|cer|pfx|pem)$/i;

export const REMOVED = '(link removed)';

/** Returns the text without links, except those to `own`, the address of this installation. */
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

/** Keeps a dotted name readable (`Node. js`) but no longer a link. */
function disarmed(host: string): string {
  if (FILE.test(host)) return host;
  return /[@:/?#]/.test(host) ? REMOVED : host.replaceAll('.', '. ').trimEnd();
}

/** Requires the same origin, with nothing before or after it that a program could read differently. */
function isOwn(address: string, own: string): boolean {
  const [url, base] = [URL.parse(address), URL.parse(own)];
  if (!url || !base || url.origin !== base.origin || url.username || url.password) return false;
  return /^https?:\/\/[\w.:-]+(?:\/[\w./?=&%#-]*)?$/.test(address);
}
