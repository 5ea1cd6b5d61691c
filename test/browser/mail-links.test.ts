// The pages behind the links in mails, on a phone.
import { readMails } from '@keelson/testing';
import anyTest from 'ava';
import { axe, openDesk, openWindow, type Desk } from './_desk.ts';
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

test('the pages for rating and for appointments fit a phone', async (t) => {
  const { app } = desk;
  await app.app.outbox.drain();
  const texts = (await readMails(app)).map(({ text }) => text);
  const linkOf = (link: RegExp) => texts.flatMap((each) => link.exec(each)?.[0] ?? []).at(-1) ?? '';
  const { page } = await openWindow(desk.browser, { viewport: { width: 360, height: 740 } });
  for (const link of [linkOf(/\/rate\?token=[^&\s]+/), linkOf(/\/appointment\?token=\S+/)]) {
    await page.goto(app.url + link);
    const answer = page.getByRole('main');
    await answer.waitFor();
    t.true(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), link);
    t.deepEqual(await axe(page), []);
    const room = (await answer.locator('form').last().boundingBox())?.width ?? 0;
    for (const each of await answer.locator('textarea, select').all()) t.is((await each.boundingBox())?.width, room);
    for (const each of await answer.locator('label:has([type=radio])').all())
      t.true(((await each.boundingBox())?.height ?? 99) < 50, 'the name is beside its button');
  }
  await page.close();
});
