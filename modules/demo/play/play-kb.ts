// The demo's knowledge base: public articles, and internal ones for technicians.
import type { App } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { createArticle, createCategory } from '@keelson/modules/kb';
import type { Staff } from '../people.ts';

const articles = [
  {
    category: 'Network',
    title: 'Connect to the VPN from home',
    visibility: 'public',
    tags: ['vpn', 'remote work'],
    content: `You need the VPN to open network drives and the accounts program from home.

1. Open **Settings > Network & internet > VPN** and choose *Office*.
2. Sign in with your email address and password.
3. Confirm the request on your phone.

If it says *The connection was terminated*, restart the computer once before you write to us.`,
  },
  {
    category: 'Network',
    title: 'VPN profile and certificate of a new laptop',
    visibility: 'internal',
    tags: ['vpn', 'onboarding'],
    content: `The profile comes with the enrolment, the certificate an hour later.

- Check that the device is in the group *VPN users*.
- No certificate after two hours: run the sync by hand, then \`certutil -pulse\`.`,
  },
  {
    category: 'Printing',
    title: 'The printer shows "Paper jam" but there is no paper',
    visibility: 'both',
    tags: ['printer'],
    content: `Open the rear door, take the drum out and look for a torn strip under the rollers. Close everything and switch the
printer off for a minute: the sensor only resets after a cold start.`,
  },
] as const;

/** Adds two categories and their articles. */
export async function playKb(app: App, { technician: { user_id, name } }: Staff): Promise<void> {
  const author: Author = { type: 'technician', id: user_id, name };
  const ctx = contextOf({ app, actor: undefined, author });
  await ctx.transaction(async (each) => {
    const ids = new Map<string, number>();
    for (const category of ['Network', 'Printing']) {
      ids.set(category, (await createCategory(each, { name: category, sort_order: ids.size })).category_id);
    }
    for (const { category, tags, ...article } of articles) {
      await createArticle(each, { ...article, tags: [...tags], category_id: ids.get(category) ?? null });
    }
  });
}
