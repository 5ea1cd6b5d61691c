// Mailboxes of Microsoft 365 over Microsoft Graph. The inbox is followed by its delta link, which is the position.
import { z } from '@keelson/core';
import type { MailWay } from '@keelson/core/mail';
import { apiWay, jsonOf, type ApiClient } from './api-client.ts';
import { MailboxAway, MOST, MOST_BYTES, type MailSource, type Position, type Taking } from './source.ts';

const Listed = z.looseObject({
  id: z.string(),
  '@removed': z.unknown().optional(),
  isDraft: z.boolean().optional(),
  internetMessageId: z.string().nullish(),
  receivedDateTime: z.string().nullish(),
  subject: z.string().nullish(),
  from: z
    .looseObject({ emailAddress: z.looseObject({ name: z.string().nullish(), address: z.string().nullish() }) })
    .nullish(),
});
const Delta = z.looseObject({
  value: z.array(Listed),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});

const NAMES = 'id,internetMessageId,receivedDateTime,subject,from,isDraft';
/** Ids that stay the same when a mail is moved. */
const HEADERS = { Prefer: 'IdType="ImmutableId", odata.maxpagesize=50' };
const GONE = 410;
const NOT_FOUND = 404;

export interface GraphInbox {
  readonly request: ApiClient;
  /** `https://graph.microsoft.com`. */
  readonly base: string;
  /** The user name of the mailbox. */
  readonly user: string;
  /** Mails from before are not received when the delta link is lost. */
  readonly since: string;
}

/** Returns the inbox as a source. */
export function graphSource({ request, base, user, since }: GraphInbox): MailSource {
  const home = homeOf(base, user);
  const start = `${home}/mailFolders/inbox/messages/delta?${new URLSearchParams({
    changeType: 'created',
    $select: NAMES,
    $filter: `receivedDateTime ge ${since}`,
  }).toString()}`;
  const readPage = async (url: string) => {
    const answer = await request(url, { headers: HEADERS });
    // The link has expired: everything since is listed again, and what is stored is left out.
    if (answer.status === GONE && url !== start) return undefined;
    const read = Delta.safeParse(jsonOf(answer));
    if (!read.success) throw new MailboxAway('The answer of Microsoft Graph cannot be read');
    return read.data;
  };

  async function takePage(listed: readonly z.infer<typeof Listed>[], at: Position, { take, known }: Taking) {
    const mails = listed.filter((each) => !each['@removed'] && !each.isDraft);
    const before = await known(mails.map(({ id }) => id));
    // A notification can come twice.
    const fresh = new Map(mails.filter(({ id }) => !before.has(id)).map((each) => [each.id, each]));
    const inOrder = [...fresh.values()].toSorted((a, b) => timeOf(a) - timeOf(b));
    for (const { id, internetMessageId, subject, from, ...mail } of inOrder) {
      const at_ = `${home}/messages/${encodeURIComponent(id)}`;
      const raw = await request(`${at_}/$value`, { headers: HEADERS, maxBytes: MOST_BYTES });
      // It was moved or deleted meanwhile.
      if (raw.status === NOT_FOUND) continue;
      if (raw.status !== 200) jsonOf(raw);
      const after = await take(
        {
          uid: 0,
          source_id: id,
          size: raw.bytes?.length ?? MOST_BYTES + 1,
          message_id: internetMessageId ?? undefined,
          arrived_at: timeOf(mail) || undefined,
          from: { name: from?.emailAddress.name ?? '', address: from?.emailAddress.address ?? '' },
          subject: subject ?? '',
          source: raw.bytes,
        },
        at,
      );
      const headers = { ...HEADERS, 'Content-Type': 'application/json' };
      if (after === 'remove') await request(at_, { method: 'DELETE', headers: HEADERS });
      else if (raw.bytes) await request(at_, { method: 'PATCH', headers, body: JSON.stringify({ isRead: true }) });
    }
    return inOrder.length;
  }

  return {
    async peek() {
      jsonOf(await request(`${home}/mailFolders/inbox?$select=id`));
      return { uid_validity: 'graph', last_uid: 0, cursor: null };
    },
    async receive(from, taking) {
      let [url, count] = [from.cursor ?? start, 0];
      for (;;) {
        const at = { uid_validity: 'graph', last_uid: 0, cursor: url };
        const page = await readPage(url);
        if (!page) {
          url = start;
          continue;
        }
        count += await takePage(page.value, at, taking);
        const next = page['@odata.nextLink'];
        const end = page['@odata.deltaLink'];
        if (next === undefined || count >= MOST) return { ...at, cursor: next ?? end ?? url };
        url = next;
      }
    },
  };
}

const homeOf = (base: string, user: string): string =>
  `${base.replace(/\/+$/, '')}/v1.0/users/${encodeURIComponent(user)}`;

const timeOf = ({ receivedDateTime }: { readonly receivedDateTime?: string | null | undefined }): number =>
  receivedDateTime ? Date.parse(receivedDateTime) : 0;

/** Returns the way for mails: as raw MIME, which keeps their Message-ID. */
export function graphWay({ request, base, user }: GraphInbox): MailWay {
  const home = homeOf(base, user);
  return apiWay(
    (bytes) =>
      request(`${home}/sendMail`, {
        method: 'POST',
        headers: { 'Content-Type': 'text/plain' },
        body: bytes.toString('base64'),
      }),
    async () => jsonOf(await request(`${home}/mailFolders/inbox?$select=id`)),
  );
}
