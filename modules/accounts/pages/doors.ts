// What is at the installation's bare address: the way in for customers, and the one for staff.
import { html } from '@keelson/core/kit';
import { frame, withoutAdministrator } from './pages.ts';

export interface Doors {
  readonly name: string;
  readonly logo_url: string;
  /** Nobody can sign in yet. */
  readonly empty: boolean;
}

export function doorsPage({ name, logo_url, empty }: Doors): string {
  // One that is kept elsewhere would not be shown: the policy allows our own pictures only.
  const logo = logo_url.startsWith('/') ? html`<p><img class="logo" src="${logo_url}" alt="" /></p>` : html``;
  return frame(
    name,
    html`${logo}
      <h1>${name}</h1>
      ${empty ? withoutAdministrator : html``}
      <ul class="doors">
        <li>
          <a href="/helpdesk">Customers</a>
          <span>Ask for help, and follow your tickets</span>
        </li>
        <li>
          <a href="/admin">Staff</a>
          <span>The service desk’s console</span>
        </li>
      </ul>`,
    'doors',
  );
}
