/// <reference lib="dom" />
// The chat as visitors see it: a real Chromium on another origin's page, which forbids almost everything.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { definePlugin } from '@keelson/core';
import { answerSource } from '@keelson/core/plugin';
import { createOutage, OutageService, updateOutage } from '@keelson/modules/outages';
import { WidgetMessage, WidgetSession } from '@keelson/modules/widget';
import { openApp, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { boundless } from '../_boundless.ts';
import { seedKey } from '../accounts-seed.ts';
import { seedAgent } from '../chat-seed.ts';
import { intercept } from './_intercept.ts';
import { browserPath, complaintsOf, openBrowser, openWebsite, type Website, type Windows } from './_website.ts';

const path = browserPath();
// Skip without a browser; CI has one (browserPath).
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

const evil = `<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>'"`;
const library = definePlugin({
  id: 'library',
  title: 'Library',
  answerSources: [
    answerSource('library.articles', async () => [
      { title: 'Reset a password', text: 'Choose “Forgotten” at the sign-in.' },
      { title: `Password rules ${evil}`, text: `Twelve characters. ${evil}` },
    ]),
  ],
});

let app: TestApp;
let browser: Windows;
let website: Website;
let publicKey: string;

if (path !== undefined) {
  anyTest.before(async () => {
    app = await openApp({ plugins: [library], limiter: boundless });
    publicKey = (await seedKey(app, 'crm_public_live')).api_key;
    website = await openWebsite(app.url);
    browser = await openBrowser(path);
  });
  anyTest.after.always(async () => {
    await browser?.close();
    website?.close();
    await app?.close();
  });
}

/** Opens the page as a visitor, with the given configuration. */
async function visit(config: object | null, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 760 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(`${website.url}?config=${encodeURIComponent(JSON.stringify(config))}`);
  return { page, complaints, context };
}

const launcher = (page: Page) => page.getByRole('button', { name: 'Open chat' });
const field = (page: Page) => page.getByRole('textbox', { name: 'Your message' });
const said = (page: Page) => page.locator('.said');

/** Returns the message texts without senders. */
async function texts(page: Page): Promise<string[]> {
  return (await said(page).allInnerTexts()).map((each) => each.replace(/^(?:You|Answer): ?\n?/, ''));
}

async function say(page: Page, text: string, answers: number): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
  await said(page)
    .nth(answers - 1)
    .waitFor();
}

async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/widget-${name}.png` });
}

test('opens, greets, answers, suggests and ends, using only the keyboard', async (t) => {
  const { page, complaints, context } = await visit({ publicKey });
  await launcher(page).waitFor();
  t.is(await app.app.database.count(WidgetSession), 0, 'nothing is asked before somebody wants to chat');
  await screenshot(page, 'closed');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await said(page).first().waitFor();
  t.deepEqual(await texts(page), ['Hi! How can we help?']);
  t.true(await field(page).evaluate((each) => each.matches(':focus')), 'one can type at once');
  const dialog = page.getByRole('dialog', { name: 'Keelson' });
  t.true(await dialog.isVisible());
  t.is(
    await dialog.evaluate((each) => getComputedStyle(each.querySelector('header')!).backgroundColor),
    'rgb(30, 58, 95)',
  );

  await say(page, 'How do I reset my password?', 3);
  t.deepEqual((await texts(page)).slice(1), [
    'How do I reset my password?',
    'From “Reset a password”:\n\nChoose “Forgotten” at the sign-in.',
  ]);
  await screenshot(page, 'answered');
  const suggestion = page.getByRole('group', { name: 'Suggestions' }).getByRole('button');
  const title = await suggestion.first().innerText();
  t.is(title, `Password rules ${evil}`);
  await suggestion.first().focus();
  await page.keyboard.press('Enter');
  await said(page).nth(4).waitFor();
  t.is((await texts(page))[3], title, 'a click sends the text');
  t.is((await texts(page))[4], `From “${title}”:\n\nTwelve characters. ${evil}`);
  t.true(await field(page).evaluate((each) => each.matches(':focus')));

  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const violations: any[] = await page.evaluate(
    `axe.run({ include: [['[data-chat-widget]']] }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then((each) => each.violations)`,
  );
  t.deepEqual(
    violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
    [],
  );

  // The window ends the chat at once and tells the server meanwhile.
  const ended = page.waitForResponse((each) => each.url().endsWith('/end'));
  await page.getByRole('button', { name: 'End chat' }).click();
  await said(page).nth(5).waitFor();
  await ended;
  await page.keyboard.press('Escape');
  t.false(await dialog.isVisible());
  t.true(await launcher(page).evaluate((each) => each.matches(':focus')), 'and back to where one was');
  const [session] = await app.app.database.find(WidgetSession);
  t.like(session, { status: 'ended', page_url: website.url, referrer: '' });

  await page.reload();
  await launcher(page).click();
  await said(page).first().waitFor();
  t.deepEqual(await texts(page), ['Hi! How can we help?'], 'earlier messages are not shown (W-13)');
  const visitors = (await app.app.database.find(WidgetSession)).map((each) => each.visitor_id);
  t.is(visitors.length, 2);
  t.is(visitors[0], visitors[1], 'the visitor is known again');
  t.deepEqual(complaints, []);
  t.is(await page.evaluate('window.hacked'), undefined);
  await context.close();
});

test('a visitor whose browser is in German reads the chat in German', async (t) => {
  const { page, complaints, context } = await visit({ publicKey }, { locale: 'de-CH' });
  await page.getByRole('button', { name: 'Chat öffnen' }).click();
  await page.getByText('Hallo! Wie können wir helfen?').waitFor();
  await page.getByRole('textbox', { name: 'Ihre Nachricht' }).fill('Reparieren Sie Fahrräder?');
  await page.getByRole('button', { name: 'Senden' }).click();
  await page.getByText(/^(?:Antwort: )?Dazu habe ich nichts gefunden/).waitFor();
  await page.getByRole('group', { name: 'Vorschläge' }).getByRole('button', { name: 'Kontaktdaten' }).click();
  await page.getByText(/Kontaktdaten kann ich hier nicht aufnehmen/).waitFor();
  await page.getByRole('button', { name: 'Chat beenden' }).click();
  await page.getByText(/Dieser Chat ist beendet/).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('a visitor asks for a person and chats with one until the person ends it', async (t) => {
  const { page, complaints, context } = await visit({ publicKey });
  await launcher(page).click();
  await said(page).first().waitFor();
  await say(page, 'Do you repair bicycles?', 3);
  await page.getByRole('group', { name: 'Suggestions' }).getByRole('button', { name: 'Talk to a person' }).click();
  await said(page).nth(4).waitFor();
  t.regex((await texts(page))[4] ?? '', /^Someone will reply here as soon as possible\./);

  const agent = await seedAgent(app);
  const queue = (await agent.send('GET', '/chat/sessions.php?source=website')).body.data;
  const { chat_id, page_url } = queue.at(-1);
  t.is(page_url, website.url);
  t.is((await agent.send('POST', `/chat/sessions.php?action=accept&id=${chat_id}`)).status, 200);
  const answer = `We do, on Mondays. ${evil}`;
  const sent = await agent.send('POST', `/chat/sessions.php?action=messages&id=${chat_id}`, { message: answer });
  t.is(sent.status, 201);
  await said(page).nth(5).waitFor();
  t.is((await texts(page))[5], answer, 'what the person writes arrives by itself, as text');
  await screenshot(page, 'person');

  await say(page, 'Until when?', 7);
  const heard = async () =>
    (await agent.send('GET', `/chat/sessions.php?action=messages&id=${chat_id}`)).body.data.map(
      (each: { sender_type: string; message: string }) => `${each.sender_type}: ${each.message}`,
    );
  for (let n = 0; n < 600 && !(await heard()).includes('user: Until when?'); n++) await page.waitForTimeout(100);
  t.deepEqual(
    (await heard()).filter((each: string) => /^(?:user|agent)/.test(each)),
    ['user: Do you repair bicycles?', `agent: ${answer}`, 'user: Until when?'],
  );
  await agent.send('POST', `/chat/sessions.php?action=end&id=${chat_id}`);
  await said(page).nth(7).waitFor();
  t.is((await texts(page))[7], 'This chat has ended. Send a message to start a new one.');
  t.is(new Set(await texts(page)).size, 8, 'nothing was said twice');
  await say(page, 'thanks', 10);
  t.is((await texts(page)).at(-1), 'You are welcome. Is there anything else?', 'and the assistant is there again');
  t.deepEqual(complaints, []);
  t.is(await page.evaluate('window.hacked'), undefined);
  await context.close();
});

test('every page option takes effect, and its text is treated as text', async (t) => {
  const config = {
    publicKey,
    position: 'bottom-left',
    primaryColor: '#fde047',
    greeting: evil,
    autoOpen: true,
    autoOpenDelay: 50,
  };
  const { page, complaints, context } = await visit(config);
  await said(page).first().waitFor();
  t.deepEqual(await texts(page), [evil]);
  t.false(await field(page).evaluate((each) => each.matches(':focus')), 'what opens by itself takes no focus');
  t.true(((await page.getByRole('dialog').boundingBox())?.x ?? 999) < 100);
  const send = page.getByRole('button', { name: 'Send' });
  t.deepEqual(
    await send.evaluate((each) => [getComputedStyle(each).backgroundColor, getComputedStyle(each).color]),
    ['rgb(253, 224, 71)', 'rgb(0, 0, 0)'],
    'readable on any colour',
  );
  await say(page, evil, 3);
  t.is((await texts(page))[1], evil);
  await screenshot(page, 'options');
  t.is(await page.evaluate('window.hacked'), undefined);
  t.is(await page.locator('[data-chat-widget] .said img').count(), 0);
  await page.getByRole('button', { name: 'Close chat' }).first().click();
  await page.reload();
  await launcher(page).waitFor();
  await page.waitForTimeout(200);
  t.true(await launcher(page).isVisible(), 'whoever closed it is not asked again');

  const names = () => page.evaluate('Object.getOwnPropertyNames(window).filter((each) => each !== "ChatWidgetConfig")');
  const [withIt] = [await names()];
  await page.goto(`${website.url}?without`);
  t.deepEqual(withIt, await names(), 'no globals but the configuration (W-23)');
  t.deepEqual(complaints, []);
  await context.close();
});

test('fills the screen on a phone, or is hidden', async (t) => {
  const phone = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };
  const { page, context } = await visit({ publicKey }, phone);
  await launcher(page).tap();
  await said(page).first().waitFor();
  t.deepEqual(await page.getByRole('dialog').boundingBox(), { x: 0, y: 0, width: 390, height: 740 });
  t.is(await page.getByRole('dialog').getAttribute('aria-modal'), 'true');
  await say(page, 'Do you repair bicycles?', 3);
  t.is(await page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing sticks out');
  await screenshot(page, 'phone');
  await field(page).focus();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    t.is(await page.evaluate('document.activeElement.dataset.chatWidget'), '', 'the page behind is not reached');
  }
  await context.close();

  const hidden = await visit({ publicKey, showOnMobile: false }, phone);
  await hidden.page.locator('[data-chat-widget]').waitFor({ state: 'attached' });
  t.false(await hidden.page.locator('[data-chat-widget] .launcher').isVisible());
  await hidden.page.setViewportSize({ width: 640, height: 740 });
  await launcher(hidden.page).waitFor();
  await hidden.context.close();
});

test('an outage is shown first', async (t) => {
  const now = app.clock.now();
  const outage = await app.run(async (ctx) => {
    const service_id = await ctx.db.insertReturningId(OutageService, {
      name: 'Mail',
      created_at: now,
      updated_at: now,
    });
    return createOutage(ctx, { service_id, title: `Mails are late ${evil}` });
  });
  const { page, context, complaints } = await visit({ publicKey });
  await launcher(page).click();
  const notice = page.locator('.notice');
  await notice.waitFor();
  t.is(await notice.innerText(), `Outage: Mail – Mails are late ${evil}, since 2026-03-02 09:00 UTC.`);
  await said(page).first().waitFor();
  await say(page, 'Do you repair bicycles?', 3);
  await page.getByRole('button', { name: 'Show service status' }).click();
  await said(page).nth(4).waitFor();
  t.is((await texts(page))[4], await notice.innerText());
  await screenshot(page, 'outage');
  t.is(await page.evaluate('window.hacked'), undefined);
  t.deepEqual(complaints, []);
  await app.run((ctx) => updateOutage(ctx, outage, { status: 'resolved' }));
  await context.close();
});

test('errors are shown in friendly words and recovered from', async (t) => {
  const { page, context } = await visit({ publicKey });
  await launcher(page).click();
  await said(page).first().waitFor();
  const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After' };
  await intercept(
    page,
    '**/widget/message',
    (route) => route.fulfill({ status: 429, headers: { ...headers, 'Retry-After': '1' } }),
    {
      times: 1,
      origin: app.url,
    },
  );
  // The browser records what is shown only for a moment.
  const shown = await page.locator('[data-chat-widget]').evaluateHandle(({ shadowRoot }) => {
    const seen: string[] = [];
    const record = () => seen.push(shadowRoot?.textContent ?? '');
    if (shadowRoot)
      new MutationObserver(record).observe(shadowRoot, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  await say(page, 'password', 3);
  t.regex((await texts(page))[2] ?? '', /^From “/, 'it went on by itself');
  t.true((await shown.jsonValue()).some((each) => each.includes('Retrying in 1 s.')));

  await intercept(page, '**/widget/message', (route) => route.abort(), { times: 1, origin: app.url });
  await say(page, 'drivers', 4);
  const again = page.getByRole('button', { name: 'Not sent. Try again' });
  await again.waitFor();
  await page.getByText('We’re unavailable right now').waitFor();
  await screenshot(page, 'unsent');
  await again.click();
  await said(page).nth(4).waitFor();
  t.is(await again.count(), 0);

  // The server has the message, but its reply is lost.
  const before = await app.app.database.count(WidgetMessage);
  await intercept(
    page,
    '**/widget/message',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1, origin: app.url },
  );
  await say(page, 'password', 6);
  await again.click();
  await said(page).nth(6).waitFor();
  t.is(await app.app.database.count(WidgetMessage), before + 2, 'it is not answered twice');

  // The session has expired: a new one starts silently.
  await app.run((ctx) => ctx.db.update(WidgetSession, { status: 'active' }, { status: 'ended' }));
  await say(page, 'password', 9);
  t.regex((await texts(page))[8] ?? '', /^From “/);
  t.is((await texts(page)).filter((each) => each.startsWith('Hi!')).length, 1);
  await context.close();
});

test('without a key nothing is shown, with a wrong key an error; the page keeps working', async (t) => {
  const none = await visit({});
  await none.page.waitForLoadState('load');
  t.is(await none.page.locator('[data-chat-widget]').count(), 0);
  t.deepEqual(none.complaints, ['The chat is not shown: ChatWidgetConfig.publicKey is missing.']);
  await none.context.close();

  const wrong = await visit({
    publicKey: 'pk_live_wrong',
    primaryColor: 'url(x)',
    position: 'top',
    autoOpenDelay: 'soon',
  });
  await launcher(wrong.page).click();
  await wrong.page.getByText('Chat is not available on this page.').waitFor();
  t.true(wrong.complaints.some((each) => each.includes('rejected ChatWidgetConfig.publicKey')));
  await screenshot(wrong.page, 'refused');
  await wrong.context.close();
});
