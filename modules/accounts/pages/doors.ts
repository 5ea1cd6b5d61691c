// The page at the installation's root URL: links to the customer portal and to the console.
import { html } from '@keelson/core/kit';
import type { Wording } from '@keelson/core/plugin';
import { frame, withoutAdministrator } from './pages.ts';

export interface Doors {
  readonly wording: Wording;
  readonly name: string;
  readonly logo_url: string;
  /** No administrator exists yet. */
  readonly empty: boolean;
}

export function doorsPage({ wording, name, logo_url, empty }: Doors): string {
  const { t } = wording;
  // The content security policy allows only images of this host, so an external logo would not load.
  const logo = logo_url.startsWith('/') ? html`<p><img class="logo" src="${logo_url}" alt="" /></p>` : html``;
  return frame(
    wording,
    name,
    html`${logo}
      <h1>${name}</h1>
      ${empty ? withoutAdministrator(wording) : html``}
      <ul class="doors">
        <li>
          <a href="/helpdesk">${t('Customers')}</a>
          <span>${t('Get help and follow your tickets')}</span>
        </li>
        <li>
          <a href="/admin">${t('Staff')}</a>
          <span>${t('Open the service desk')}</span>
        </li>
      </ul>`,
    'doors',
  );
}
