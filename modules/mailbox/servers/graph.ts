// Microsoft 365 mailboxes over Microsoft Graph. New mails are found through the inbox's delta link, which is the read
// position.
import { z } from '@keelson/core';
import type { MailWay } from '@keelson/core/mail';
import { apiWay, fetchMail, jsonOf, type ApiAnswer, type ApiClient } from './api-client.ts';
import {
  BEGINNING_BYTES,
  MailboxAway,
  MOST,
  MOST_BYTES,
  receiveEach,
  type MailSource,
  type Position,
  type Take,
} from './source.ts';

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
type Listed = z.infer<typeof Listed>;
const Delta = z.looseObject({
  value: z.array(Listed),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});

const NAMES = 'id,internetMessageId,receivedDateTime,subject,from,isDraft';
/** Ids that stay the same when a mail is moved. */
const HEADERS = { Prefer: 'IdType="ImmutableId", odata.maxpagesize=50' };
const GONE = 410;
const BAD_REQUEST = 400;
const CREATED = 201;
/** Maximum pages per run; the next run continues. */
const MOST_PAGES = 100;

export interface GraphInbox {
  readonly request: ApiClient;
  /** `https://graph.microsoft.com`. */
  readonly base: string;
  /** The user name of the mailbox. */
  readonly user: string;
  /** Mails from before this time are skipped when the delta link has expired. */
  readonly since: string;
}

/** Returns the inbox as a mail source. */
export function graphSource({ request, base, user, since }: GraphInbox): MailSource {
  const home = homeOf(base, user);
  const start = `${home}/mailFolders/inbox/messages/delta?${new URLSearchParams({
    changeType: 'created',
    $select: NAMES,
    $filter: `receivedDateTime ge ${since}`,
  }).toString()}`;
  const readPage = async (url: string) => {
    const answer = await request(url, { headers: HEADERS });
    if (url !== start && isExpired(answer)) return undefined;
    const read = Delta.safeParse(jsonOf(answer));
    if (!read.success) throw new MailboxAway('Microsoft Graph’s response cannot be read');
    return read.data;
  };

  /**
   * Lists changes since a delta link. If it has expired, lists everything again and skips mails already stored.
   * @returns the link it started from, and the one to continue with
   */
  async function list(from: string): Promise<{ listed: Listed[]; begun: string; next: string }> {
    let [begun, url] = [from, from];
    const listed: Listed[] = [];
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await readPage(url);
      if (!page) {
        begun = url = start;
        continue;
      }
      listed.push(...page.value);
      const next = page['@odata.nextLink'];
      if (next === undefined) return { listed, begun, next: page['@odata.deltaLink'] ?? url };
      url = next;
    }
    return { listed, begun, next: url };
  }

  async function receiveOne({ id, internetMessageId, subject, from, ...mail }: Listed, at: Position, take: Take) {
    const url = `${home}/messages/${encodeURIComponent(id)}`;
    const raw = await fetchMail(
      () => request(`${url}/$value`, { headers: HEADERS, maxBytes: MOST_BYTES, keptBytes: BEGINNING_BYTES }),
      `“${subject ?? ''}” of ${mail.receivedDateTime ?? 'an unknown time'}`,
    );
    if (!raw) return;
    const [after] = await take([
      {
        mail: {
          uid: 0,
          source_id: id,
          size: raw.isCut ? MOST_BYTES + 1 : raw.bytes.length,
          message_id: internetMessageId ?? undefined,
          arrived_at: timeOf(mail) || undefined,
          from: { name: from?.emailAddress.name ?? '', address: from?.emailAddress.address ?? '' },
          subject: subject ?? '',
          source: raw.bytes,
        },
        at,
      },
    ]);
    const headers = { ...HEADERS, 'Content-Type': 'application/json' };
    if (after === 'remove') await request(url, { method: 'DELETE', headers: HEADERS });
    else if (!raw.isCut) await request(url, { method: 'PATCH', headers, body: JSON.stringify({ isRead: true }) });
  }

  return {
    async peek() {
      jsonOf(await request(`${home}/mailFolders/inbox?$select=id`));
      return at(null);
    },
    async receive(from, { take, known }) {
      const { listed, begun, next } = await list(from.cursor ?? start);
      const mails = listed.filter((each) => !each['@removed'] && !each.isDraft);
      const before = await known([...new Set(mails.map(({ id }) => id))]);
      // A change can be listed twice, and pages are unordered.
      const fresh = new Map(mails.filter(({ id }) => !before.has(id)).map((each) => [each.id, each]));
      const inOrder = [...fresh.values()].toSorted((a, b) => timeOf(a) - timeOf(b));
      await receiveEach(inOrder.slice(0, MOST), (each) => receiveOne(each, at(begun), take));
      return at(inOrder.length > MOST ? begun : next);
    },
  };
}

const at = (cursor: string | null): Position => ({ uid_validity: 'graph', last_uid: 0, cursor });

/** Outlook answers 410; other services 400. */
const isExpired = ({ status, bytes }: ApiAnswer): boolean =>
  status === GONE ||
  (status === BAD_REQUEST && /syncState|resyncRequired/i.test(bytes?.toString('utf8', 0, 2000) ?? ''));

const homeOf = (base: string, user: string): string =>
  `${base.replace(/\/+$/, '')}/v1.0/users/${encodeURIComponent(user)}`;

const timeOf = ({ receivedDateTime }: { readonly receivedDateTime?: string | null | undefined }): number =>
  receivedDateTime ? Date.parse(receivedDateTime) : 0;

/** Graph accepts 4 MB, and files are base64-encoded twice. */
const MOST_ATTACHED = 2 * 1024 * 1024;

const Draft = z.looseObject({ id: z.string(), internetMessageId: z.string().nullish() });

/**
 * Returns the outgoing transport. Mails are created as drafts from raw MIME and then sent, because `sendMail` replaces
 * the Message-ID, by which replies find their ticket. A draft keeps its own.
 */
export function graphWay({ request, base, user }: GraphInbox): MailWay {
  const home = homeOf(base, user);
  async function send(bytes: Buffer): Promise<ApiAnswer> {
    const headers = { ...HEADERS, 'Content-Type': 'text/plain' };
    const created = await request(`${home}/messages`, { method: 'POST', headers, body: bytes.toString('base64') });
    if (created.status !== CREATED) return created;
    const draft = Draft.safeParse(jsonOf(created, CREATED));
    if (!draft.success) throw new MailboxAway('Microsoft Graph’s response cannot be read');
    const url = `${home}/messages/${encodeURIComponent(draft.data.id)}`;
    const answer = await sendDraft(url, draft.data, messageIdOf(bytes));
    if (answer.status >= BAD_REQUEST) await request(url, { method: 'DELETE', headers: HEADERS });
    return answer;
  }
  async function sendDraft(url: string, draft: z.infer<typeof Draft>, messageId: string): Promise<ApiAnswer> {
    if (messageId !== '' && draft.internetMessageId !== messageId) {
      const headers = { ...HEADERS, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ internetMessageId: messageId });
      const named = await request(url, { method: 'PATCH', headers, body });
      if (named.status >= BAD_REQUEST) return named;
    }
    return request(`${url}/send`, { method: 'POST', headers: HEADERS });
  }
  const way = apiWay(send, async () => jsonOf(await request(`${home}/mailFolders/inbox?$select=id`)));
  return { ...way, mostBytes: MOST_ATTACHED };
}

/** The headers come first and are far shorter. */
const MOST_HEADERS = 64 * 1024;

const messageIdOf = (bytes: Buffer): string =>
  /^message-id:\s*(<[^>\r\n]+>)/im.exec(bytes.toString('latin1', 0, MOST_HEADERS))?.[1] ?? '';
