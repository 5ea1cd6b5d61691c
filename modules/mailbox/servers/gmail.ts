// Google mailboxes over the Gmail API. New mails are found through the mailbox history, whose id is the read position.
import { normalised, z } from '@keelson/core';
import type { MailWay } from '@keelson/core/mail';
import { apiWay, fetchMail, jsonOf, type ApiClient } from './api-client.ts';
import {
  BEGINNING_BYTES,
  MailboxAway,
  MOST,
  MOST_BYTES,
  receiveEach,
  type MailSource,
  type Position,
  type Take,
  type Taking,
} from './source.ts';

const Named = z.looseObject({ id: z.string() });
const Profile = z.looseObject({ historyId: z.string(), emailAddress: z.string() });
const History = z.looseObject({
  history: z
    .array(
      z.looseObject({
        id: z.string(),
        messagesAdded: z.array(z.looseObject({ message: Named })).optional(),
        labelsAdded: z.array(z.looseObject({ message: Named, labelIds: z.array(z.string()).optional() })).optional(),
      }),
    )
    .optional(),
  historyId: z.string(),
  nextPageToken: z.string().optional(),
});
const Listing = z.looseObject({ messages: z.array(Named).optional(), nextPageToken: z.string().optional() });
const Facts = z.looseObject({
  labelIds: z.array(z.string()).optional(),
  internalDate: z.string().optional(),
  sizeEstimate: z.number().optional(),
});
/** How much longer the answer with a mail is than the mail itself. */
const ENCODED = 1.4;

const NOT_FOUND = 404;
/** Newly received mails, and those moved to the inbox, for example from spam. */
const HISTORY = ['messageAdded', 'labelAdded'] as const;
/** Maximum mails in a full listing; older ones were received long ago. */
const MOST_LISTED = 20_000;

export interface GmailInbox {
  readonly request: ApiClient;
  /** `https://gmail.googleapis.com`. */
  readonly base: string;
  /** The user name of the mailbox. */
  readonly user: string;
  /** Mails from before this time are skipped when the history has expired. */
  readonly since: string;
}

/** Returns the inbox as a mail source. */
export function gmailSource({ request, base, user, since }: GmailInbox): MailSource {
  const home = homeOf(base);
  const read = async <T>(shape: z.ZodType<T>, path: string): Promise<T> =>
    parsed(shape, jsonOf(await request(`${home}${path}`)));
  const peek = async (): Promise<Position> => {
    const { historyId, emailAddress } = await read(Profile, '/profile');
    // The token reads the inbox of whichever account signed in, which may be a different one.
    if (normalised(emailAddress) !== normalised(user))
      throw new MailboxAway(`You signed in as ${emailAddress}, not as ${user}: sign in as the user of the mailbox`);
    return at(historyId);
  };

  async function receiveOne(id: string, position: Position, take: Take): Promise<void> {
    const most = { maxBytes: Math.ceil(MOST_BYTES * ENCODED), keptBytes: Math.ceil(BEGINNING_BYTES * ENCODED) };
    const answer = await fetchMail(() => request(`${home}/messages/${id}?format=raw`, most), id);
    if (!answer) return;
    const { raw, rest } = withoutRaw(answer.bytes);
    const facts = answer.isCut
      ? await read(Facts, `/messages/${id}?format=metadata`)
      : parsed(Facts, jsonOf({ status: 200, bytes: rest }));
    const { labelIds: labels = ['INBOX'], internalDate, sizeEstimate = 0 } = facts;
    if (!labels.includes('INBOX') || labels.includes('DRAFT')) return;
    const isCut = answer.isCut || raw.length > MOST_BYTES;
    const source = isCut ? raw.subarray(0, BEGINNING_BYTES) : raw;
    const [after] = await take([
      {
        mail: {
          uid: 0,
          source_id: id,
          size: isCut ? Math.max(sizeEstimate, raw.length, MOST_BYTES + 1) : raw.length,
          ...headOf(source),
          arrived_at: internalDate === undefined ? undefined : Number(internalDate),
          source,
        },
        at: position,
      },
    ]);
    const post = (action: string, body: object) =>
      request(`${home}/messages/${id}/${action}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    if (after === 'remove') await post('trash', {});
    else if (!isCut) await post('modify', { removeLabelIds: ['UNREAD'] });
  }

  /** Receives the mails with these ids, oldest first. */
  async function receiveAll(given: readonly string[], position: Position, { take, known }: Taking): Promise<void> {
    const ids = [...new Set(given)];
    const before = await known(ids);
    await receiveEach(
      ids.filter((each) => !before.has(each)),
      (each) => receiveOne(each, position, take),
    );
  }

  /** Lists the inbox again when the history has expired; mails already stored are skipped. */
  async function receiveAgain(from: Position, taking: Taking): Promise<Position> {
    const end = await peek();
    const ids: string[] = [];
    let page: string | undefined;
    do {
      const asked = new URLSearchParams({ labelIds: 'INBOX', maxResults: '500', q: `after:${secondsOf(since)}` });
      if (page !== undefined) asked.set('pageToken', page);
      const listing = await read(Listing, `/messages?${asked.toString()}`);
      ids.push(...(listing.messages ?? []).map(({ id }) => id));
      page = listing.nextPageToken;
    } while (page !== undefined && ids.length < MOST_LISTED);
    await receiveAll(ids.toReversed(), from, taking);
    return end;
  }

  return {
    peek,
    async receive(from, taking) {
      const start = from.cursor ?? (await peek()).cursor ?? '';
      const ids: string[] = [];
      let end = start;
      let page: string | undefined;
      do {
        const asked = new URLSearchParams({ startHistoryId: start, labelId: 'INBOX', maxResults: '100' });
        for (const each of HISTORY) asked.append('historyTypes', each);
        if (page !== undefined) asked.set('pageToken', page);
        const answer = await request(`${home}/history?${asked.toString()}`);
        if (answer.status === NOT_FOUND) return receiveAgain(at(start), taking);
        const { history = [], historyId, nextPageToken } = parsed(History, jsonOf(answer));
        ids.push(...history.flatMap(addedBy));
        end = nextPageToken === undefined ? historyId : (history.at(-1)?.id ?? end);
        page = nextPageToken;
      } while (page !== undefined && ids.length < MOST);
      await receiveAll(ids, at(start), taking);
      return at(end);
    },
  };
}

type Change = NonNullable<z.infer<typeof History>['history']>[number];

/** Returns the ids of the mails that a history record has added to the inbox. */
const addedBy = ({ messagesAdded = [], labelsAdded = [] }: Change): string[] =>
  [...messagesAdded, ...labelsAdded.filter(({ labelIds }) => labelIds?.includes('INBOX'))].map(
    ({ message }) => message.id,
  );

const homeOf = (base: string): string => `${base.replace(/\/+$/, '')}/gmail/v1/users/me`;
const at = (cursor: string): Position => ({ uid_validity: 'gmail', last_uid: 0, cursor });
const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);

function parsed<T>(shape: z.ZodType<T>, value: unknown): T {
  const read = shape.safeParse(value);
  if (!read.success) throw new MailboxAway('Gmail’s response cannot be read');
  return read.data;
}

/**
 * Returns the mail in an answer, and the answer without it: parsing tens of megabytes as JSON would hold up others.
 * @throws MailboxAway if there is no mail in it
 */
function withoutRaw(answer: Buffer): { raw: Buffer; rest: Buffer } {
  const name = /"raw"\s*:\s*"/.exec(answer.toString('latin1', 0, 65_536));
  if (!name) throw new MailboxAway('Gmail’s response cannot be read');
  const start = name.index + name[0].length;
  const found = answer.indexOf('"', start);
  // The end is missing if only the beginning was kept.
  const end = found < 0 ? answer.length : found;
  const raw = Buffer.from(answer.toString('latin1', start, end), 'base64url');
  return { raw, rest: Buffer.concat([answer.subarray(0, start), answer.subarray(end)]) };
}

/** Reads the metadata available before a mail is parsed. */
function headOf(source: Buffer) {
  const text = source.toString('latin1', 0, 65_536).split(/\r?\n\r?\n/)[0] ?? '';
  const of = (name: string) => new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(text)?.[1] ?? '';
  const [, address = of('from').trim()] = /<([^<>]+)>/.exec(of('from')) ?? [];
  return {
    message_id: /<[^<>\s]{1,250}>/.exec(of('message-id'))?.[0],
    from: { name: '', address },
    subject: of('subject'),
  };
}

/** Returns the outgoing transport. */
export function gmailWay({ request, base }: GmailInbox): MailWay {
  const home = homeOf(base);
  return apiWay(
    (bytes) =>
      request(`${home}/messages/send`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ raw: bytes.toString('base64url') }),
      }),
    async () => jsonOf(await request(`${home}/profile`)),
  );
}
