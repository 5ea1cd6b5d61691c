// Renders Markdown as HTML that is safe to embed: no scripts, no styles, no external resources. Malicious input can
// take seconds, so it runs in a worker thread (markdown-thread.ts).
import MarkdownIt from 'markdown-it';
import sanitize from 'sanitize-html';

const markdown = new MarkdownIt({ html: false, linkify: true });
// Link only explicit URLs. Guessing domains and mail addresses costs more than it helps.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

const PICTURE = /^attachment:(\d{1,15})$/;
const LINK = /^(?:https?:\/\/|mailto:)/i;
const ALIGNED = /^text-align:(left|center|right)$/;

/**
 * Renders the text as HTML. `pictures` is the path before an attachment's id. Two layers of defence: the renderer
 * accepts no HTML, and its output is reduced to an allow-list of tags.
 */
export function renderMarkdown(text: string, pictures: string): string {
  return sanitize(markdown.render(text), {
    allowedTags: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'code', 'hr', 'br', 'ul', 'ol', 'li'],
      ...['em', 'strong', 's', 'a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    allowedAttributes: {
      a: ['href', 'title', 'rel'],
      img: ['src', 'alt', 'title', 'loading'],
      ol: ['start'],
      code: ['class'],
      th: ['align'],
      td: ['align'],
    },
    allowedClasses: { code: ['language-*'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    // A picture has no scheme: its path is on our own origin.
    allowedSchemesByTag: { img: [] },
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    transformTags: {
      a: (tagName, { href = '', title = '' }) => ({
        tagName,
        attribs: given({ href: LINK.test(href) && href, rel: LINK.test(href) && 'noopener nofollow', title }),
      }),
      img: (tagName, { src = '', alt = '', title = '' }) => {
        const id = PICTURE.exec(src)?.[1];
        return {
          tagName,
          attribs: { ...given({ src: id && `${pictures}${Number(id)}`, title }), alt, loading: 'lazy' },
        };
      },
      th: aligned,
      td: aligned,
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  });
}

/** Keeps the attributes that have a value. */
function given(all: Readonly<Record<string, string | false | undefined>>): sanitize.Attributes {
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

function aligned(tagName: string, { style = '' }: sanitize.Attributes): sanitize.Tag {
  const align = ALIGNED.exec(style)?.[1];
  return { tagName, attribs: align ? { align } : {} };
}
