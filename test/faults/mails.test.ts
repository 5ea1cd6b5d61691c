// Kills the process at each step from the mail server to the ticket: no mail or file is lost or duplicated, and
// conversations keep their order.
import { createEmployee } from '@keelson/modules/directory';
import { addMailbox } from '@keelson/modules/mailbox';
import anyTest from 'ava';
import { MailboxToken } from '../../modules/mailbox/entities.ts';
import { storeTokens } from '../../modules/mailbox/servers/tokens.ts';
import { hasDovecot, startDovecot } from '../_dovecot.ts';
import { startGmail, startGraph } from '../_mail-apis.ts';
import { client, startOAuthServer } from '../_oauth-server.ts';
import { chance, seed } from '../_random.ts';
import { startNode } from './_node.ts';
import { amount, engine, full, makePlace, type Place } from './_place.ts';

const test = anyTest.serial;

/** Mails of each conversation before a new one begins. */
const LONGEST = 6;
/** Longer than any lease. */
const MINUTES = 3;

type Fields = Omit<Parameters<typeof addMailbox>[1], 'name' | 'address'>;

/** The source that mails are read from. */
interface Inbox {
  deliver(raw: string, talk: number): Promise<unknown>;
  /** Called before each round. */
  readonly disturb?: ((round: number) => void) | undefined;
  /** Its mailboxes. */
  readonly boxes: readonly Fields[];
  /** The position where reading starts. */
  readonly at?: Parameters<typeof addMailbox>[2];
  readonly env: Readonly<Record<string, string>>;
  /** Access and refresh tokens of a signed-in mailbox. */
  readonly tokens?: { readonly access_token: string; readonly refresh_token: string; readonly expires_in: number };
}

type Started = { teardown(work: () => Promise<void>): void };

async function startImap(t: Started): Promise<Inbox> {
  const servers = [await startDovecot(), await startDovecot()] as const;
  for (const each of servers) t.teardown(() => each.stop());
  return {
    deliver: (raw, talk) => servers[talk % 2 === 0 ? 0 : 1].drop(raw),
    boxes: servers.map(({ port, user: username, password }) => ({
      host: '127.0.0.1',
      port,
      security: 'none',
      username,
      password,
    })),
    env: {},
  };
}

const startApi =
  (sign_in: 'microsoft' | 'google') =>
  async (t: Started): Promise<Inbox> => {
    const oauth = await startOAuthServer();
    t.teardown(() => oauth.stop());
    const isGoogle = sign_in === 'google';
    const api = await (isGoogle ? startGmail : startGraph)((token) => oauth.holderOf(token));
    t.teardown(() => api.stop());
    const username = 'support@provider.example';
    const scope = isGoogle
      ? 'https://www.googleapis.com/auth/gmail.modify'
      : 'https://graph.microsoft.com/Mail.ReadWrite';
    return {
      deliver: (raw) => Promise.resolve(api.deliver(raw)),
      disturb(round) {
        if (round % 3 === 1) api.expirePositions();
        if (round % 3 === 2) oauth.expireAccess();
      },
      boxes: [{ username, sign_in, protocol: 'api', ...client }],
      at: { uid_validity: '', last_uid: 0, cursor: isGoogle ? '1000' : null },
      env: {
        MAIL_MICROSOFT_LOGIN_URL: oauth.url,
        MAIL_GOOGLE_TOKEN_URL: oauth.url,
        MAIL_MICROSOFT_GRAPH_URL: api.url,
        MAIL_GMAIL_URL: api.url,
      },
      tokens: oauth.grant({ email: username, scope }),
    };
  };

/** A full run receives 10,000 mails of an IMAP server, in two mailboxes. */
const imap = { people: amount(5, 200), mails: amount(2, 50), kills: amount(6, 200) };
const api = { people: 5, mails: 2, kills: amount(3, 60) };

const sources = [
  { name: 'an IMAP server', isThere: hasDovecot, amounts: imap, start: startImap },
  { name: 'Microsoft Graph', isThere: true, amounts: api, start: startApi('microsoft') },
  { name: 'the Gmail API', isThere: true, amounts: api, start: startApi('google') },
] as const;

for (const { name, isThere, amounts, start } of sources)
  (isThere ? test : test.skip)(
    `no mail of ${name} is lost or duplicated when the process is killed at each step (${engine})`,
    (t) => killAtEachStep(t, start, amounts),
  );

async function killAtEachStep(
  t: Parameters<typeof startNode>[0],
  start: (t: Started) => Promise<Inbox>,
  { people, mails, kills }: typeof imap,
): Promise<void> {
  t.timeout(full ? 10_800_000 : 1_800_000);
  t.log(`seed ${seed}`);
  const inbox = await start(t);
  const made = await makePlace(t);
  const place = { ...made, env: { ...made.env, ...inbox.env } };
  await addPeople(place, inbox, people);
  const written: Written[] = [];
  const write = async () => {
    for (let n = 0; n < mails; n++) {
      const next = nextMail(written, people);
      written.push(next);
      await inbox.deliver(rawOf(next, people), next.talk);
    }
  };
  await write();
  const steps = await run(t, place, 0, 0);
  t.true(steps > 20, 'a process that reads mails takes many steps');
  let killed = 0;
  let rounds = 1;
  for (; killed < kills; rounds++) {
    inbox.disturb?.(rounds);
    await write();
    // A few kills are spread over the second half, where files are attached; many kills hit any step.
    const share = kills < steps ? 0.9 - ((rounds % kills) / kills) * 0.5 : chance();
    if ((await run(t, place, Math.ceil(share * steps), rounds)) === 0) killed++;
    else t.true(rounds < 5 * kills, 'most processes are killed');
  }
  t.true((await run(t, place, 0, rounds)) > 0);
  // Deliveries that failed with a killed process are due later.
  t.true((await run(t, place, 0, rounds + 60)) > 0);

  const outcome = await readOutcome(place);
  const expected = written.map(({ talk, at }) => ({ talk, at }));
  t.deepEqual(outcome.states, [
    { state: 'comment', n: expected.filter(({ at }) => at > 0).length },
    { state: 'ticket', n: expected.filter(({ at }) => at === 0).length },
  ]);
  t.deepEqual(outcome.texts, textsOf(written), 'each once, and in order');
  t.deepEqual(outcome.files, filesOf(written), 'each file once');
  t.deepEqual(outcome.open, [], 'nothing is left to do');
  t.log(`${engine}: ${written.length} mails, ${killed} kills, 0 lost, 0 duplicated`);
}

interface Written {
  readonly talk: number;
  /** The position within its conversation. */
  readonly at: number;
}

/** Returns the next mail: of an unfinished conversation, or the first of a new one. */
function nextMail(written: readonly Written[], people: number): Written {
  const talks = Map.groupBy(written, ({ talk }) => talk);
  const unfinished = [...talks].filter(([, mails]) => mails.length < LONGEST);
  if (unfinished.length < people) return { talk: talks.size, at: 0 };
  const [talk, mails] = unfinished[Math.floor(chance() * unfinished.length)] ?? [0, []];
  return { talk, at: mails.length };
}

const textOf = ({ talk, at }: Written) => `Text ${at} of ${talk}`;
const fileNamesOf = ({ talk, at }: Written) => [`${talk}-${at}-a.txt`, `${talk}-${at}-b.txt`];
const idOf = ({ talk, at }: Written) => `<${at}.${talk}@customer.example>`;

function rawOf(mail: Written, people: number): string {
  const answered = mail.at === 0 ? [] : [`In-Reply-To: ${idOf({ ...mail, at: mail.at - 1 })}`];
  const parts = fileNamesOf(mail).map(
    (name) => `--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename="${name}"\n\n${name}\n`,
  );
  return [
    `From: person-${mail.talk % people}@customer.example`,
    'To: support@provider.example',
    `Subject: Talk ${mail.talk}`,
    `Message-ID: ${idOf(mail)}`,
    ...answered,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    `--b\nContent-Type: text/plain\n\n${textOf(mail)}\n`,
    ...parts,
    '--b--',
    '',
  ].join('\n');
}

async function addPeople(place: Place, { boxes, at, tokens }: Inbox, people: number) {
  await place.open((app) =>
    app.system().transaction(async (ctx) => {
      for (let n = 0; n < people; n++)
        await createEmployee(ctx, {
          first_name: 'Person',
          last_name: String(n),
          email: `person-${n}@customer.example`,
          company_number: place.companies[0] ?? 0,
          can_create_tickets: true,
        });
      for (const [n, fields] of boxes.entries()) {
        const address = n === 0 ? 'support@provider.example' : `support-${n}@provider.example`;
        const { mailbox_id } = await addMailbox(ctx, { name: 'Support', address, ...fields }, at);
        if (!tokens) continue;
        await ctx.db.insert(MailboxToken, { mailbox_id, consented_at: ctx.now });
        await storeTokens(ctx, mailbox_id, tokens);
      }
    }),
  );
}

/**
 * Runs a process that kills itself at a step; returns the number of steps if it finished before, and 0 if it was
 * killed.
 */
async function run(t: Parameters<typeof startNode>[0], place: Place, fatal: number, round: number) {
  const args = ['test/faults/_mail.ts', String(fatal), String(round * MINUTES)];
  const node = startNode(t, place, 0, args);
  await new Promise((resolve) => node.child.once('exit', resolve));
  await place.alone();
  if (node.child.signalCode === 'SIGKILL') return 0;
  const [, steps] = /done after (\d+) steps/.exec(node.said()) ?? [];
  if (steps === undefined) throw new Error(node.said());
  return Number(steps);
}

const textsOf = (written: readonly Written[]) =>
  Object.fromEntries(
    [...Map.groupBy(written, ({ talk }) => talk)].map(([talk, mails]) => [`Talk ${talk}`, mails.map(textOf)]),
  );

const filesOf = (written: readonly Written[]) => written.flatMap(fileNamesOf).toSorted();

async function readOutcome(place: Place) {
  const states = await place.ask('SELECT state, COUNT(*) AS n FROM mailbox_message GROUP BY state ORDER BY state');
  const tickets = await place.ask('SELECT ticket_id, subject, description FROM ticket ORDER BY ticket_id');
  const comments = await place.ask('SELECT ticket_id, comment FROM ticket_comment ORDER BY comment_id');
  const files = await place.ask('SELECT filename FROM attachment ORDER BY filename');
  const texts: Record<string, string[]> = {};
  for (const { ticket_id, subject, description } of tickets) {
    const answers = comments.filter((each) => each['ticket_id'] === ticket_id).map((each) => each['comment']);
    texts[subject] = [...(texts[subject] ?? []), description, ...answers];
  }
  const open = await place.ask(`SELECT subscriber, state, error FROM delivery
    WHERE state <> 'done' AND subscriber LIKE 'mailbox.%'`);
  return {
    states: states.map((each) => ({ state: each['state'], n: Number(each['n']) })),
    texts,
    files: files.map((each) => String(each['filename'])),
    open: open.map((each) => ({ ...each })),
  };
}
