// Mailboxes of Google over the Gmail API. The inbox is followed by its history, whose id is the position.
import { normalised, z } from '@keelson/core';
import type { MailWay } from '@keelson/core/mail';
import { apiWay, jsonOf, type ApiClient } from './api-client.ts';
import { MailboxAway, MOST, MOST_BYTES, type MailSource, type Position, type Taking } from './source.ts';

const Named = z.looseObject({ id: z.string() });
const Profile = z.looseObject({ historyId: z.string(), emailAddress: z.string() });
const History = z.looseObject({
  history: z
    .array(z.looseObject({ id: z.string(), messagesAdded: z.array(z.looseObject({ message: Named })).optional() }))
    .optional(),
  historyId: z.string(),
  nextPageToken: z.string().optional(),
});
const Listing = z.looseObject({ messages: z.array(Named).optional(), nextPageToken: z.string().optional() });
const Raw = z.looseObject({
  raw: z.string().optional(),
  labelIds: z.array(z.string()).optional(),
  internalDate: z.string().optional(),
});

const NOT_FOUND = 404;
/** Mails of a full listing; older ones were received long before. */
const MOST_LISTED = 5000;

export interface GmailInbox {
  readonly request: ApiClient;
  /** `https://gmail.googleapis.com`. */
  readonly base: string;
  /** The user name of the mailbox. */
  readonly user: string;
  /** Mails from before are not received when the history is lost. */
  readonly since: string;
}

/** Returns the inbox as a source. */
export function gmailSource({ request, base, user, since }: GmailInbox): MailSource {
  const home = homeOf(base);
  const read = async <T>(shape: z.ZodType<T>, path: string): Promise<T> =>
    parsed(shape, jsonOf(await request(`${home}${path}`)));
  const peek = async (): Promise<Position> => {
    const { historyId, emailAddress } = await read(Profile, '/profile');
    // The token reads the inbox of the account that signed in, which may be another one.
    if (normalised(emailAddress) !== normalised(user))
      throw new MailboxAway(`The sign-in is of ${emailAddress}, not of ${user}: sign in as the user of the mailbox`);
    return at(historyId);
  };

  /** Takes the mails with these ids, oldest first. */
  async function takeAll(ids: readonly string[], position: Position, { take, known }: Taking): Promise<void> {
    const before = await known(ids);
    for (const id of new Set(ids.filter((each) => !before.has(each)))) {
      const answer = await request(`${home}/messages/${id}?format=raw`, { maxBytes: Math.ceil(MOST_BYTES * 1.4) });
      // It was deleted meanwhile.
      if (answer.status === NOT_FOUND) continue;
      const mail = answer.bytes && parsed(Raw, jsonOf(answer));
      const labels = mail?.labelIds ?? ['INBOX'];
      if (!labels.includes('INBOX') || labels.includes('DRAFT')) continue;
      const bytes = mail?.raw === undefined ? undefined : Buffer.from(mail.raw, 'base64url');
      const source = bytes && bytes.length <= MOST_BYTES ? bytes : undefined;
      const head = headOf(source);
      const after = await take(
        {
          uid: 0,
          source_id: id,
          size: bytes?.length ?? MOST_BYTES + 1,
          ...head,
          arrived_at: mail?.internalDate === undefined ? undefined : Number(mail.internalDate),
          source,
        },
        position,
      );
      const post = (action: string, body: object) =>
        request(`${home}/messages/${id}/${action}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
      if (after === 'remove') await post('trash', {});
      else if (source) await post('modify', { removeLabelIds: ['UNREAD'] });
    }
  }

  /** Lists the inbox again, because its history reaches not so far back; what is stored is left out. */
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
    await takeAll(ids.toReversed(), from, taking);
    return end;
  }

  return {
    peek,
    async receive(from, taking) {
      const start = from.cursor ?? (await peek()).cursor ?? '';
      let position = at(start);
      let page: string | undefined;
      for (let count = 0; ;) {
        const asked = new URLSearchParams({
          startHistoryId: start,
          historyTypes: 'messageAdded',
          labelId: 'INBOX',
          maxResults: '100',
        });
        if (page !== undefined) asked.set('pageToken', page);
        const answer = await request(`${home}/history?${asked.toString()}`);
        if (answer.status === NOT_FOUND) return receiveAgain(position, taking);
        const { history = [], historyId, nextPageToken } = parsed(History, jsonOf(answer));
        const ids = history.flatMap((each) => each.messagesAdded ?? []).map(({ message }) => message.id);
        await takeAll(ids, position, taking);
        count += ids.length;
        position = at(history.at(-1)?.id ?? position.cursor ?? start);
        if (nextPageToken === undefined) return at(historyId);
        if (count >= MOST) return position;
        page = nextPageToken;
      }
    },
  };
}

const homeOf = (base: string): string => `${base.replace(/\/+$/, '')}/gmail/v1/users/me`;
const at = (cursor: string): Position => ({ uid_validity: 'gmail', last_uid: 0, cursor });
const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);

function parsed<T>(shape: z.ZodType<T>, value: unknown): T {
  const read = shape.safeParse(value);
  if (!read.success) throw new MailboxAway('The answer of Gmail cannot be read');
  return read.data;
}

/** Reads what is known of a mail before it is parsed. */
function headOf(source: Buffer | undefined) {
  const text = source?.toString('latin1', 0, 65_536).split(/\r?\n\r?\n/)[0] ?? '';
  const of = (name: string) => new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(text)?.[1] ?? '';
  const [, address = of('from').trim()] = /<([^<>]+)>/.exec(of('from')) ?? [];
  return {
    message_id: /<[^<>\s]{1,250}>/.exec(of('message-id'))?.[0],
    from: { name: '', address },
    subject: of('subject'),
  };
}

/** Returns the way for mails. */
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
