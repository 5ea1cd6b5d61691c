/// <reference lib="dom" />
// Pages in another language: every text must have passed a catalogue. In the made-up language en-XA those that did are
// in brackets with accents; a page's data is left as it is.
import { raiseAlert } from '@keelson/modules/monitoring';
import anyTest from 'ava';
import type { Page } from 'playwright-core';
import { happened } from '../../modules/desk/console/happened.ts';
import { asCustomer, asStaff, openDesk, settled, sideways, step, visit, type Desk } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

let desk: Desk;

if (path !== undefined) {
  anyTest.before(async () => {
    desk = await openDesk(path);
  });
  anyTest.after.always(() => desk?.close());
}

/** Collects everything that the page's requests returned. */
function dataOf(page: Page): { all(): Promise<string> } {
  const answers: Promise<string>[] = [];
  page.on('response', (answer) => {
    if (answer.headers()['content-type']?.includes('json')) answers.push(answer.text().catch(() => ''));
  });
  return { all: async () => (await Promise.all(answers)).join('\n') };
}

/** Texts that are the same in every language: names of formats and keys, times, initials. */
const SAME =
  /^(?:[A-Z]{1,4}|[\d\W]+|Ctrl K|Esc|English|Deutsch|[A-Z][a-z]{2} \d.*|[A-Z][a-z]+, [A-Z][a-z]+ \d.*|\d+ [AP]M|[a-z]+:[a-z]+(?:, [a-z]+:[a-z]+)*|\d+ (?:h|min|B|KB|MB|GB).*|[\d.]+ [KMGT]B|\d+ \w+\. ago|in \d+ \w+\.)$/;

/** Texts of the console that have no translation yet: cron expressions in words, and names of some events and states. */
const ENGLISH: ReadonlySet<string> = new Set(['At 07:00, only on Monday', 'Disk full', 'No backup']);

/** Returns the texts of the page that neither come from a catalogue nor are data. */
async function plainTexts(page: Page, data: string): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent && !['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEXTAREA'].includes(parent.tagName))
        found.add(walker.currentNode.nodeValue ?? '');
    }
    for (const each of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.add(each.getAttribute(name) ?? '');
    return [...found];
  });
  const said = data.replaceAll('\\n', ' ').replaceAll(/\s+/g, ' ').toLowerCase();
  return texts
    .map((each) => each.replaceAll(/\s+/g, ' ').trim())
    .filter(
      (each) =>
        /[a-z]{2}/i.test(each) && !each.includes('[') && !each.includes('·]') && !SAME.test(each) && !ENGLISH.has(each),
    )
    .filter((each) =>
      each.split(/ · |: |^· /).some((part) => !said.includes(JSON.stringify(part).slice(1, -1).toLowerCase())),
    );
}

/** Console pages with texts of their own. */
const CONSOLE = [
  '',
  '/tickets',
  '/tickets/new',
  '/me',
  '/companies',
  '/contacts',
  '/assets',
  '/contracts',
  '/invoices',
  '/invoices/new',
  '/subscriptions',
  '/proposals',
  '/projects',
  '/articles',
  '/reports',
  '/outages',
  '/alerts',
  '/backup',
  '/chats',
  '/sales',
  '/dispatch',
  '/workflows',
  '/workflows/new',
  '/webhooks/new',
  '/discovery',
  '/networks',
  '/reports/new',
  '/articles/new',
  '/recurring-tickets/new',
  '/service-levels',
  '/escalations',
  '/notifications',
  '/reply-templates',
  '/webhooks',
  '/keys',
  '/keys/new',
  '/settings',
  '/teams',
  '/on-call',
  '/recurring-tickets',
  '/imports',
];

test('every text of the portal comes from a catalogue', async (t) => {
  t.timeout(300_000);
  const customer = desk.made.customers[0];
  if (!customer) throw new Error('The demo has no customer');
  const { page, context, complaints } = await asCustomer(desk, customer.manager);
  await context.addCookies([{ name: 'language', value: 'en-XA', url: desk.app.url }]);
  const data = dataOf(page);
  await visit(page, `${desk.app.url}/helpdesk`);
  t.is(await page.locator('html').getAttribute('lang'), 'en-XA');
  const wrong: string[] = [];
  const paths = [
    '',
    '/tickets',
    '/tickets/new',
    '/approvals',
    '/me',
    '/billing',
    '/help',
    '/equipment',
    '/people',
    '/people/groups',
    '/projects',
    '/reports',
    '/backup',
    '/backup/restore',
    '/status',
    '/services',
  ];
  for (const each of paths) {
    await step(page, `/helpdesk${each}`);
    await settled(page);
    wrong.push(...(await plainTexts(page, await data.all())).map((text) => `${each}: ${text}`));
  }
  t.deepEqual(wrong, []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('every text of the console comes from a catalogue', async (t) => {
  t.timeout(300_000);
  const boss = desk.made.staff.administrator;
  const { page, context, complaints } = await asStaff(desk, boss);
  await context.addCookies([{ name: 'language', value: 'en-XA', url: desk.app.url }]);
  const data = dataOf(page);
  await visit(page, `${desk.app.url}/admin`);
  const wrong: string[] = [];
  for (const each of CONSOLE) {
    await step(page, `/admin${each}`);
    await settled(page);
    wrong.push(...(await plainTexts(page, await data.all())).map((text) => `${each}: ${text}`));
  }
  t.deepEqual(wrong, []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('a rejected form shows the error in the person’s language, at the field', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.administrator, { locale: 'de-DE' });
  await visit(page, `${desk.app.url}/admin/companies`);
  await page.getByRole('button', { name: 'Neue Firma' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('[name=customer]').fill('Hafen');
  await dialog.locator('[name=email]').fill('hafen@local');
  await dialog.locator('button[type=submit]').click();
  t.is(await dialog.locator('.field-error').innerText(), 'Muss eine E-Mail-Adresse sein');
  await context.close();
});

test('a duplicate is refused in the person’s language, and titled fields of a record’s form are translated', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.administrator, { locale: 'de-DE' });
  const { company } = desk.made.customers[0] ?? t.fail();
  await visit(page, `${desk.app.url}/admin/companies/${company.company_number}`);
  await page.getByRole('button', { name: 'Bearbeiten' }).first().click();
  await page.getByLabel(/^Bundesland/).waitFor();
  const other = desk.made.customers[1]?.company.customer ?? '';
  await page
    .getByRole('dialog')
    .getByLabel(/^Firma/)
    .fill(other);
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText(`${other} gibt es bereits`).waitFor();
  t.pass();
  await context.close();
});

test('a converted lead links to what it became, and stages are offered in order and in the person’s language', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator, { locale: 'de-DE' });
  await visit(page, `${desk.app.url}/admin/leads/1`);
  await page.getByRole('heading', { name: 'Umgewandelt in' }).waitFor();
  t.is(await page.getByRole('button', { name: 'Umwandeln', exact: true }).count(), 0, 'it is converted already');
  await page.getByRole('link', { name: 'Sander Pharma opportunity' }).click();
  await page.getByRole('heading', { name: 'Sander Pharma opportunity' }).waitFor();
  await page.getByRole('button', { name: 'Nächste Phase' }).click();
  await page.getByRole('definition').filter({ hasText: 'Qualifizierung' }).waitFor();
  await page.getByRole('button', { name: 'Bearbeiten' }).click();
  const offered = page.getByLabel(/^Phase/).locator('option');
  // The form opens before the list of stages is loaded.
  await offered.getByText('Bedarfsanalyse').waitFor({ state: 'attached' });
  const stages = await offered.allTextContents();
  t.deepEqual(stages.filter((each) => each !== '–').slice(0, 3), ['Akquise', 'Qualifizierung', 'Bedarfsanalyse']);
  t.deepEqual(complaints, []);
  await context.close();
});

test('events of webhooks and permissions of keys are named in the person’s language', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.administrator, { locale: 'de-DE' });
  await visit(page, `${desk.app.url}/admin/webhooks/new`);
  const events = page.locator('.choice-groups');
  await events.getByText('Bewertung kommentiert').waitFor();
  t.notRegex(await events.innerText(), /Assigned|Payment|Recovered|Ready|Voided/);
  await visit(page, `${desk.app.url}/admin/keys/new`);
  const permissions = page.locator('.choice-groups');
  await permissions.getByText('Lesen').first().waitFor();
  t.notRegex(await permissions.innerText(), /\b(?:Read|Write|Access|Manage)\b/);
  await context.close();
});

test('schedules and roles are shown in the person’s language', async (t) => {
  const { page, context, complaints } = await asStaff(desk, desk.made.staff.administrator, { locale: 'de-DE' });
  await visit(page, `${desk.app.url}/admin/reports`);
  await page.getByText('Um 07:00').first().waitFor();
  t.is(await page.locator('.person small').innerText(), 'Administrator');
  t.deepEqual(complaints, []);
  await context.close();
});

test('the messages of alerts are shown in the person’s language, with their dates', async (t) => {
  const { row } = await desk.app.run((ctx) =>
    raiseAlert(ctx, 'domain:7', {
      alert_type: 'domain_expiring',
      severity: 'critical',
      message: 'The domain acme.example expires on 2 Mar 2026',
      company_number: desk.made.customers[0]?.company.company_number,
    }),
  );
  const { page, context, complaints } = await asStaff(desk, desk.made.staff.administrator, { locale: 'de-DE' });
  for (const at of ['', '/alerts', '/alerts/by-machine', `/alerts/${row.alert_id}`]) {
    await visit(page, `${desk.app.url}/admin${at}`);
    await page.getByText('Die Domain acme.example läuft am 02.03.2026 ab').first().waitFor();
  }
  await page.getByRole('link', { name: 'Ticket erstellen' }).click();
  const subject = page.getByRole('textbox', { name: 'Betreff' });
  await subject.waitFor();
  t.is(await subject.inputValue(), 'Domain läuft ab: Die Domain acme.example läuft am 02.03.2026 ab');
  t.deepEqual(complaints, []);
  await context.close();
});

test('clocks in notifications, and the bar of selected rows, are in the person’s language', async (t) => {
  const { page, context, complaints } = await asStaff(desk, desk.made.staff.administrator, { locale: 'de-DE' });
  const german = desk.app.app.wording('de');
  t.is(happened('sla_breached', german.t, 'Next response'), 'Nächste Antwort: Ziel verfehlt:');
  t.is(happened('sla_breached', german.t, 'Priya'), 'Priya: Ziel verfehlt:');
  await visit(page, `${desk.app.url}/admin/tickets`);
  await page.locator('.sight .box input').first().click();
  const bar = page.locator('.bulk');
  await bar.getByRole('button', { name: 'Löschen' }).waitFor();
  t.true(((await bar.boundingBox())?.height ?? 0) < 64, 'the buttons are in one line');
  await bar.getByRole('button', { name: /Priorität/ }).click();
  await page.locator('.menu:popover-open [role^=menuitem]', { hasText: 'Kritisch' }).click();
  await page.getByRole('dialog').getByRole('columnheader', { name: 'Änderung' }).waitFor();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Auswahl aufheben' }).click();
  await bar.waitFor({ state: 'detached' });
  t.deepEqual(complaints, []);
  await context.close();
});

test('values of choices, and the sums of an invoice on a phone, are readable in German', async (t) => {
  const number = desk.made.customers[0]?.it_admin.employee_number ?? 0;
  const { page, context, complaints } = await asStaff(desk, desk.made.staff.administrator, { locale: 'de-DE' });
  await visit(page, `${desk.app.url}/admin/contacts/${number}`);
  await page.locator('.facts').getByText('Bearbeiten', { exact: true }).waitFor();
  t.is(await page.locator('.facts').getByText('Modify').count(), 0);
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, `${desk.app.url}/admin/invoices/1`);
  const subtotal = page.locator('.totals dt', { hasText: 'Zwischensumme' });
  t.true(((await subtotal.boundingBox())?.height ?? 0) < 30, 'the word is whole');
  await visit(page, `${desk.app.url}/admin/outages`);
  const [title, search] = [page.locator('h1'), page.locator('.page-acts .search-field')];
  t.true(((await search.boundingBox())?.y ?? 0) > ((await title.boundingBox())?.y ?? 0) + 8);
  t.deepEqual(complaints, []);
  await context.close();
});

test('the portal uses the browser’s language until the person chooses another', async (t) => {
  const customer = desk.made.customers[0];
  if (!customer) throw new Error('The demo has no customer');
  const { page, context, complaints } = await asCustomer(desk, customer.manager, { locale: 'de-AT' });
  await visit(page, `${desk.app.url}/helpdesk/tickets/new`);
  t.is(await page.locator('html').getAttribute('lang'), 'de');
  t.is(await page.locator('h1').innerText(), 'Neues Ticket');
  await step(page, '/helpdesk/billing');
  await page
    .getByText(/\d,\d\d\s€|€\s\d+[.,\d]*,\d\d|\$\s?\d+[.,\d]*,\d\d/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: /Konto/ }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.locator('html[lang=en]').waitFor();
  await settled(page);
  t.is(await page.locator('h1').innerText(), 'Billing');
  t.deepEqual(complaints, []);
  await context.close();
  const other = await asCustomer(desk, customer.manager, { locale: 'de-AT' });
  await other.page.goto(`${desk.app.url}/helpdesk/billing`);
  await other.page.locator('html[lang=en]').waitFor();
  t.deepEqual(other.complaints, []);
  await other.context.close();
});

test('right-to-left pages do not scroll sideways', async (t) => {
  const customer = desk.made.customers[0];
  if (!customer) throw new Error('The demo has no customer');
  for (const width of [1440, 390]) {
    const { page, context, complaints } = await asCustomer(desk, customer.manager, {
      viewport: { width, height: 800 },
    });
    await context.addCookies([{ name: 'language', value: 'ar-XB', url: desk.app.url }]);
    for (const each of ['', '/tickets', '/tickets/new', '/billing', '/me']) {
      await visit(page, `${desk.app.url}/helpdesk${each}`);
      t.is(await page.locator('html').getAttribute('dir'), 'rtl');
      t.is(await sideways(page), 0, `${each} at ${width}`);
    }
    const heading = await page.locator('h1').boundingBox();
    t.true((heading?.x ?? 0) + (heading?.width ?? 0) > width / 2);
    t.deepEqual(complaints, []);
    await context.close();
  }
});
