// Articles as HTML: their content runs no scripts and loads nothing from other origins.
import { createArticle } from '@keelson/modules/kb';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { renderMarkdown } from '../../packages/files/markdown/render.ts';
import { createRenderer } from '../../packages/files/markdown/renderer.ts';
import { assertProperty, fc } from '../_random.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';

type Element = DefaultTreeAdapterTypes.Element;

const before = '/helpdesk/api/v1/kb/articles/7/attachments/';
const elements = new Set(
  'h1 h2 h3 h4 h5 h6 p blockquote pre code hr br ul ol li em strong s a img table thead tbody tr th td'.split(' '),
);
const attributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'rel'],
  img: ['src', 'alt', 'title', 'loading'],
  ol: ['start'],
  code: ['class'],
  th: ['align'],
  td: ['align'],
};

/** Returns forbidden constructs that a browser would find in the HTML. */
function faults(html: string): string[] {
  const found: string[] = [];
  const judge = ({ tagName, attrs, namespaceURI }: Element): void => {
    if (!elements.has(tagName) || namespaceURI !== 'http://www.w3.org/1999/xhtml') found.push(`<${tagName}>`);
    for (const { name, value } of attrs) {
      if (!attributes[tagName]?.includes(name)) found.push(`${tagName} ${name}`);
      if (name === 'src' && !/^\/helpdesk\/api\/v1\/kb\/articles\/7\/attachments\/\d+$/.test(value))
        found.push(`src ${value}`);
      if (name === 'href' && !/^(?:https?:\/\/|mailto:)/i.test(value)) found.push(`href ${value}`);
      if (name === 'href' && !attrs.some((each) => each.name === 'rel' && each.value === 'noopener nofollow'))
        found.push('a link without rel');
      if (name === 'class' && !/^language-\S+$/.test(value)) found.push(`class ${value}`);
    }
  };
  const walk = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): void => {
    for (const node of nodes) {
      if ('tagName' in node) judge(node);
      if (node.nodeName === '#comment') found.push('a comment');
      if ('content' in node) walk(node.content.childNodes);
      if ('childNodes' in node) walk(node.childNodes);
    }
  };
  for (const scriptingEnabled of [true, false]) walk(parseFragment(html, { scriptingEnabled }).childNodes);
  return found;
}

const vectors: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/x>alert(1)</script>',
  '<script\n>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onerror="alert(1)" />',
  '<img/src/onerror=alert(1)>',
  '<IMG """><SCRIPT>alert(1)</SCRIPT>">',
  '<img src=`x`onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text x=20 y=20>x</text></a>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<embed src="//evil.example/x.swf">',
  '<applet code="x"></applet>',
  '<base href="//evil.example/">',
  '<meta http-equiv="refresh" content="0;url=//evil.example">',
  '<link rel="stylesheet" href="//evil.example/x.css">',
  '<style>@import "//evil.example/x.css";</style>',
  '<p style="background:url(//evil.example/x)">a</p>',
  '<div style="width:expression(alert(1))">',
  '<body onload=alert(1)>',
  '<input onfocus=alert(1) autofocus>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<video poster="//evil.example/x">',
  '<audio src=x onerror=alert(1)>',
  '<marquee onstart=alert(1)>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="#" onclick="alert(1)">x</a>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<xss id=x tabindex=1 onfocus=alert(1)></xss>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](javascript&#58;alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x]( javascript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '[x](file:///etc/passwd)',
  '[x](//evil.example/)',
  '[x](\\\\evil.example\\x)',
  '[x](/admin/api/v1/tickets.php?id=1)',
  '[x](?action=delete)',
  '[x](blob:https://evil.example/1)',
  '[x](view-source:javascript:alert(1))',
  '[x](feed:javascript:alert(1))',
  '[x](https://a.example "onmouseover=alert(1)")',
  '[x](https://a.example "\\" onmouseover=alert(1) x=\\"")',
  '[x](https://a.example/" onmouseover="alert(1))',
  "[x](https://a.example/'onmouseover='alert(1))",
  '[x](https://a.example/<script>alert(1)</script>)',
  '[<img src=x onerror=alert(1)>](https://a.example)',
  '<javascript:alert(1)>',
  '<https://a.example/"onmouseover=alert(1)>',
  '<data:text/html,alert(1)>',
  'https://a.example/"onmouseover="alert(1)',
  'javascript://a.example/%0aalert(1)',
  '![x](https://evil.example/pixel.png)',
  '![x](//evil.example/pixel.png)',
  '![x](/admin/api/v1/settings/api-keys.php)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '![x](javascript:alert(1))',
  '![x](attachment:1/../../../../tickets/2)',
  '![x](attachment:1?x=//evil.example)',
  '![x](attachment:-1)',
  '![x](attachment:../2)',
  '![x](ATTACHMENT:1"onerror="alert(1))',
  '![" onerror="alert(1)](attachment:1)',
  '![x](attachment:1 "\\" onerror=\\"alert(1)")',
  '![x][r]\n\n[r]: https://evil.example/x.png',
  '[x][r]\n\n[r]: javascript:alert(1)',
  '```"><img src=x onerror=alert(1)>\nx\n```',
  '```x" onmouseover="alert(1)\nx\n```',
  '`<img src=x onerror=alert(1)>`',
  '    <script>alert(1)</script>',
  '| a |\n|:-:|\n| <img src=x onerror=alert(1)> |',
  '> <script>alert(1)</script>',
  '# <svg/onload=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '\\<script\\>alert(1)\\</script\\>',
  '<a\u0000href="javascript:alert(1)">x</a>',
  '\u2028<script>alert(1)</script>',
  '<scr\u0130pt>alert(1)</script>',
  '</p></div></body><script>alert(1)</script>',
  '<p/onmouseover=alert(1)>x',
  '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
];

const judged = (text: string) => faults(renderMarkdown(text, before));

test('no attack vector runs a script, keeps a handler or loads external content', (t) => {
  t.true(vectors.length >= 100, `${vectors.length} vectors`);
  // The checker itself detects the attacks.
  t.true(vectors.filter((each) => faults(each).length > 0).length > 40);
  for (const vector of vectors)
    for (const text of [vector, `Text ${vector} text`, `- ${vector}\n- [y](${vector})`, `![${vector}](${vector})`])
      t.deepEqual(judged(text), [], text);
});

test('no combination of attack vectors does', async (t) => {
  const piece = fc.oneof(
    fc.constantFrom(...vectors),
    fc.constantFrom(
      ...'[ ] ( ) ![ ](attachment:1) ](https:// ` ``` * _ ~~ | \n > < &#x6A; " \' = \\ - #'.split(' '),
      '\n',
      ' ',
    ),
    fc.string({ maxLength: 5 }),
  );
  const clean = fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
    t.deepEqual(judged(pieces.join('')), []);
  });
  await assertProperty(t, clean, { numRuns: Number(process.env['KB_HTML_RUNS'] ?? 400) });
});

test('regular Markdown is preserved', (t) => {
  const html = (text: string) => renderMarkdown(text, before).trim();
  t.is(html('# Printer\n\n**Off** and *on*'), '<h1>Printer</h1>\n<p><strong>Off</strong> and <em>on</em></p>');
  t.is(
    html('[x](https://a.example "T")'),
    '<p><a href="https://a.example" rel="noopener nofollow" title="T">x</a></p>',
  );
  t.is(
    html('see https://a.example'),
    '<p>see <a href="https://a.example" rel="noopener nofollow">https://a.example</a></p>',
  );
  t.is(html('![Front](attachment:12)'), `<p><img src="${before}12" alt="Front" loading="lazy" /></p>`);
  t.is(html('![Front](https://a.example/x.png)'), '<p></p>');
  t.is(html('```sh\nls <x>\n```'), '<pre><code class="language-sh">ls &lt;x&gt;\n</code></pre>');
  t.regex(html('| a |\n|--:|\n| b |'), /<th align="right">a<\/th>[^]*<td align="right">b<\/td>/);
  t.is(html('a.example and x@a.example'), '<p>a.example and x@a.example</p>', 'nothing is guessed');
});

test('both surfaces render articles as HTML with their images; hostile Markdown is shown as plain text', async (t) => {
  const app = await startApp(t);
  const staff = await asKey(app, ['kb:read']);
  const person = await asEmployee(app, await seedEmployee(app));
  const write = (content: string) =>
    app.run((ctx) => createArticle(ctx, { title: 'VPN', content, visibility: 'public' }));
  const { article_id } = await write('![Front](attachment:3) <b>');
  const admin = await staff('GET', `/kb/articles.php?id=${article_id}`);
  const src = `/admin/api/v1/kb/articles.php?action=attachment&amp;id=${article_id}&amp;attachment_id=3`;
  t.is(admin.body.data.content_html, `<p><img src="${src}" alt="Front" loading="lazy" /> &lt;b&gt;</p>\n`);
  const own = `/helpdesk/api/v1/kb/articles/${article_id}/attachments/3`;
  const portal = await person('GET', `/kb/articles/${article_id}`);
  t.is(portal.body.content_html, `<p><img src="${own}" alt="Front" loading="lazy" /> &lt;b&gt;</p>\n`);
  t.is((await person('GET', `/kb/articles/${article_id}`)).body.content_html, portal.body.content_html);

  const hostile = await write(`<a> ${'*_'.repeat(30_000)}a ${'http://a.b '.repeat(400)}`);
  const read = await person('GET', `/kb/articles/${hostile.article_id}`);
  t.deepEqual(faults(read.body.content_html), []);
});

test('a slow text is abandoned while others are rendered', async (t) => {
  const renderer = createRenderer();
  t.teardown(() => renderer.end());
  const job = (text: string) => ({ text, pictures: before });
  t.is(await renderer.render(job('a')), '<p>a</p>\n');
  // Longer than articles may be, so that no machine finishes in time.
  await t.throwsAsync(renderer.render(job('!['.repeat(800_000))), { name: 'AbortError' });
  t.is(await renderer.render(job('b')), '<p>b</p>\n');
  const many = await Promise.allSettled(Array.from({ length: 30 }, () => renderer.render(job('c'))));
  t.is(many.filter(({ status }) => status === 'fulfilled').length, 20);
});

test('Preview an article', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['kb:read', 'kb:write']);
  const article = await app.run((ctx) =>
    createArticle(ctx, { title: 'VPN', content: 'As it is', visibility: 'internal' }),
  );
  const path = `/kb/articles.php?action=preview&id=${article.article_id}`;
  const { status, body } = await send('POST', path, { content: '# New\n\n<b>no</b>' });
  t.is(status, 200);
  t.deepEqual(body.data, { content_html: '<h1>New</h1>\n<p>&lt;b&gt;no&lt;/b&gt;</p>\n' });
  const kept = (await send('GET', `/kb/articles.php?id=${article.article_id}`)).body.data;
  t.deepEqual([kept.content, kept.content_html, kept.version], ['As it is', '<p>As it is</p>\n', 1]);
  t.is((await send('POST', path, { content: '' })).body.error, 'content is required');
  t.is((await send('POST', path.replace(/\d+$/, '99'), { content: 'a' })).status, 404);
  const reader = await asKey(app, ['kb:read']);
  t.is((await reader('POST', path, { content: 'a' })).status, 403);
});
