// The HTML of mails: paragraphs below the provider's name or logo, in the provider's colours. The body is escaped plain
// text.
import { html, type Html } from '@keelson/kit/html.ts';
import { directionOf } from '@keelson/words';

export interface MailBrand {
  readonly company_name: string;
  /** Absolute, or empty. */
  readonly logo_url: string;
  readonly primary_color: string;
  readonly link_color: string;
  readonly text_color: string;
  readonly background_color: string;
}

/** Renders the HTML part. Only URLs below `baseUrl` become links; others may come from strangers and stay text. */
export function mailPage(
  subject: string,
  text: string,
  brand: MailBrand,
  { baseUrl, language }: { readonly baseUrl: string; readonly language: string },
): string {
  const { text_color, background_color, primary_color } = brand;
  const all = text.trim().split(/\n\s*\n/);
  // Replies are cut at this line, so it comes before everything else that they may quote.
  const line = all[0]?.startsWith('##- ') ? all[0] : '';
  const paragraphs = all
    .slice(line === '' ? 0 : 1)
    .map((each) => html`<p style="margin:0 0 16px">${linesOf(each, brand.link_color, baseUrl)}</p>`);
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px 12px;background:#f1f5f9">
        <div
          style="max-width:600px;margin:0 auto;padding:24px;border-top:4px solid ${primary_color};background:${background_color};color:${text_color};font:16px/1.5 Arial,sans-serif"
        >
          ${line === '' ? '' : html`<p style="margin:0 0 16px;font-size:12px;opacity:0.7">${line}</p>`}
          ${heading(brand)} ${joined(paragraphs)}
        </div>
      </body>
    </html>`.text;
}

function heading({ company_name, logo_url, primary_color }: MailBrand): Html {
  if (/^https?:\/\//.test(logo_url))
    return html`<p style="margin:0 0 24px">
      <img src="${logo_url}" alt="${company_name}" style="max-height:48px;max-width:240px" />
    </p>`;
  return html`<p style="margin:0 0 24px;font-size:20px;font-weight:bold;color:${primary_color}">${company_name}</p>`;
}

function linesOf(paragraph: string, color: string, baseUrl: string): Html {
  const lines = paragraph
    .split('\n')
    .map((line) => joined(line.split(/(\s+)/).map((word) => linked(word, color, baseUrl))));
  return lines.reduce((before, line) => html`${before}<br />${line}`);
}

function linked(word: string, color: string, baseUrl: string): Html {
  const ours = word === baseUrl || word.startsWith(`${baseUrl}/`);
  return ours ? html`<a href="${word}" style="color:${color}">${word}</a>` : html`${word}`;
}

function joined(pieces: readonly Html[]): Html {
  return { text: pieces.map((each) => each.text).join('') };
}
