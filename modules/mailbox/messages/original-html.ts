// Sanitised HTML of mails, for a frame that runs no scripts (core's `framed()`). Remote images would tell the sender
// when and where a mail is read, so they are removed until the reader requests them.
import sanitize, { type Attributes } from 'sanitize-html';

const LONGEST = 2_000_000;

const TAGS: readonly string[] = [
  ...sanitize.defaults.allowedTags,
  ...['img', 'center', 'font', 'del', 'ins', 'big', 'u', 'strike', 'details', 'summary', 'picture'],
];
const LAYOUT: readonly string[] = [
  'style',
  'align',
  'valign',
  'width',
  'height',
  'bgcolor',
  'color',
  'dir',
  'lang',
  'title',
];

export interface SafeHtml {
  readonly html: string;
  /** Number of images removed. */
  readonly blocked: number;
}

/**
 * Returns the document for a frame.
 * @param inline the mail's embedded images as data URLs, by Content-ID
 * @param pictures whether to keep remote images
 */
export function safeHtml(given: string, inline: ReadonlyMap<string, string>, pictures: boolean): SafeHtml {
  let blocked = 0;
  const picture = (attributes: Attributes) => {
    const { src = '', srcset: _srcset, ...rest } = attributes;
    const own = /^cid:(.+)$/i.exec(src)?.[1];
    if (own !== undefined) return { ...rest, src: inline.get(decoded(own)) ?? '' };
    if (/^data:image\//i.test(src)) return { ...rest, src };
    const secure = src.replace(/^(?:http:)?\/\//i, 'https://');
    if (!secure.toLowerCase().startsWith('https://')) return rest;
    if (pictures) return { ...rest, src: secure };
    blocked++;
    return rest;
  };
  const body = sanitize(given.slice(0, LONGEST), {
    allowedTags: [...TAGS],
    allowedAttributes: {
      '*': [...LAYOUT],
      a: ['href', 'target', 'rel'],
      img: ['src', 'alt'],
      table: ['border', 'cellpadding', 'cellspacing'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
      font: ['face', 'size'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https', 'data'] },
    allowProtocolRelative: false,
    nonTextTags: ['style', 'script', 'head', 'title', 'textarea', 'option', 'noscript'],
    // The frame's content security policy blocks all remote resources.
    parseStyleAttributes: false,
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer' } }),
      img: (tagName, attribs) => ({ tagName, attribs: picture(attribs) }),
    },
  });
  return { html: `${HEAD}${body}`, blocked };
}

const HEAD = `<!doctype html><meta charset="utf-8"><style>
  body { margin: 12px; font: 14px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; overflow-wrap: anywhere }
  img { max-width: 100%; height: auto } pre { white-space: pre-wrap }
</style>`;

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
