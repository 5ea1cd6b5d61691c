import { html, type Html } from '@keelson/core/kit';
import type { ServiceState } from '../shapes.ts';
import type { CachedStatus } from './public-page.ts';

const labels: Readonly<Record<ServiceState, string>> = {
  operating_normally: 'Operating normally',
  maintenance: 'Maintenance',
  outage: 'Outage',
};
const headlines: Readonly<Record<ServiceState, string>> = {
  operating_normally: 'All services are operating normally',
  maintenance: 'Maintenance in progress',
  outage: 'Some services are down',
};

/** Renders the public status page, which works without scripts. */
export function statusPage({ status, stale }: CachedStatus): string {
  const active = status.outages.filter((each) => each.status === 'active');
  const planned = status.outages.filter((each) => each.status === 'scheduled');
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="120" />
        <title>Status – ${status.provider}</title>
        <link rel="stylesheet" href="/helpdesk/api/v1/branding.css" />
        <style>
          body {
            font-family: system-ui, sans-serif;
            line-height: 1.5;
            margin: 0 auto;
            max-width: 44rem;
            padding: 1.5rem 1rem;
          }
          .headline {
            border-left: 0.5rem solid #15803d;
            padding: 0.5rem 1rem;
          }
          .maintenance {
            border-color: #b45309;
          }
          .outage {
            border-color: #b91c1c;
          }
          table {
            border-collapse: collapse;
            width: 100%;
          }
          th,
          td {
            border-bottom: 1px solid #cbd5e1;
            padding: 0.5rem 0;
            text-align: left;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${status.provider}</h1>
          <p class="headline ${status.status}" role="status"><strong>${headlines[status.status]}</strong></p>
          ${stale ? html`<p>This is the last known status. Updates are currently unavailable.</p>` : ''}
          <h2>Services</h2>
          <table>
            <tbody>
              ${joinHtml(
                status.services.map(
                  (each) =>
                    html`<tr>
                      <th scope="row">${each.name}</th>
                      <td>${labels[each.status]}</td>
                    </tr> `,
                ),
              )}
            </tbody>
          </table>
          ${section('Now', active)} ${section('Planned', planned)}
          <p>As of ${moment(status.at)}.</p>
        </main>
      </body>
    </html>`.text;
}

type Listed = CachedStatus['status']['outages'][number];

function section(title: string, outages: readonly Listed[]): Html | string {
  if (outages.length === 0) return '';
  return html`<h2>${title}</h2>
    ${joinHtml(outages.map(entry))}`;
}

function entry(outage: Listed): Html {
  const { started_at, scheduled_start, scheduled_end } = outage;
  const since = outage.status === 'active' ? `since ${moment(started_at)}` : `from ${moment(scheduled_start)}`;
  const until = scheduled_end ? ` until ${moment(scheduled_end)}` : '';
  return html`<article>
    <h3>${outage.title}</h3>
    <p>${outage.service_name}, ${since}${until}</p>
    <p>${outage.description}</p>
    <p>${outage.notes}</p>
  </article> `;
}

/** Formats `2026-11-21 09:30 UTC`, because readers may be in any time zone. */
function moment(at: string | null): string {
  return at === null ? '' : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

function joinHtml(parts: readonly Html[]): Html {
  return parts.reduce((whole, each) => html`${whole}${each}`, html``);
}
