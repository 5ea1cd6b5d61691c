// Runs a mailbox on a real IMAP server: dovecot on its own port, with its files in a temporary folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import type { Certificate } from './_certificate.ts';
import { freePort } from './faults/_node.ts';

const BINARY = '/usr/sbin/dovecot';

/** Whether dovecot is installed and can start: it switches users, so it needs root. */
export const hasDovecot = existsSync(BINARY) && process.getuid?.() === 0;

export interface Dovecot {
  readonly port: number;
  /** Accepts TLS from the first byte; 0 without a certificate. */
  readonly tlsPort: number;
  readonly user: string;
  readonly password: string;
  /** Delivers a mail to the inbox. */
  deliver(raw: string): Promise<void>;
  /** Puts mails into the inbox as a mail server on the same machine does, without a connection; in this order. */
  drop(...raws: string[]): Promise<void>;
  /** Returns the flags of each mail, oldest first. */
  flags(): Promise<string[][]>;
  /** Closes all open connections, as a restart does, and accepts new ones. */
  hangUp(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param options.introspectionUrl accepts access tokens (XOAUTH2) that this introspection endpoint knows
 * @param options.certificate offers STARTTLS, and TLS on a port of its own
 */
export async function startDovecot(
  options: { introspectionUrl?: string; certificate?: Certificate } = {},
): Promise<Dovecot> {
  // Dovecot's processes run as several users who all need access, so the folder is not inside a private one.
  const folder = mkdtempSync('/tmp/dovecot-');
  chmodSync(folder, 0o755);
  const mail = join(folder, 'mail');
  mkdirSync(mail);
  chmodSync(mail, 0o777);
  const port = await freePort();
  const { certificate } = options;
  const tlsPort = certificate ? await freePort() : 0;
  if (certificate) {
    writeFileSync(join(folder, 'cert'), certificate.cert);
    writeFileSync(join(folder, 'key'), certificate.key);
  }
  const [user, password] = ['support', 'a password of the mailbox'];
  writeFileSync(join(folder, 'users'), `${user}:{PLAIN}${password}\n`);
  if (options.introspectionUrl) {
    const lines = [
      `introspection_url = ${options.introspectionUrl}`,
      'introspection_mode = auth',
      'force_introspection = yes',
      'username_attribute = email',
      'active_attribute = active',
      'active_value = true',
    ];
    writeFileSync(join(folder, 'oauth2'), `${lines.join('\n')}\n`);
  }
  const oauth = options.introspectionUrl
    ? `auth_mechanisms = plain xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2
}`
    : '';
  const config = join(folder, 'dovecot.conf');
  writeFileSync(
    config,
    `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
${certificate ? `ssl = yes\nssl_cert = <${folder}/cert\nssl_key = <${folder}/key` : 'ssl = no'}
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:${mail}/%u
${oauth}
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${mail}/%u
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
  }
}
`,
  );
  const server = spawn(BINARY, ['-F', '-c', config], { stdio: 'ignore' });
  await answers(port);
  const opened = async <T>(work: (client: ImapFlow) => Promise<T>): Promise<T> => {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port,
      secure: false,
      auth: { user, pass: password },
      logger: false,
    });
    await client.connect();
    await client.mailboxOpen('INBOX');
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  };
  const inbox = join(mail, user);
  let dropped = 0;
  return {
    port,
    tlsPort,
    user,
    password,
    async drop(...raws) {
      // Dovecot creates the folders when they are first opened.
      if (!existsSync(join(inbox, 'new'))) await opened(() => Promise.resolve());
      for (const raw of raws) {
        // Dovecot orders mails found together by the time in their names.
        const name = `${1_000_000_000 + ++dropped}.M${dropped}P1.test`;
        writeFileSync(join(inbox, 'tmp', name), raw.replaceAll(/\r?\n/g, '\r\n'));
        renameSync(join(inbox, 'tmp', name), join(inbox, 'new', name));
      }
    },
    deliver: (raw) => opened(async (client) => void (await client.append('INBOX', raw.replaceAll(/\r?\n/g, '\r\n')))),
    flags: () =>
      opened(async (client) => (await client.fetchAll('1:*', { flags: true })).map(({ flags }) => [...(flags ?? [])])),
    async hangUp() {
      const kicked = spawn('/usr/bin/doveadm', ['-c', config, 'kick', user], { stdio: 'ignore' });
      const [code] = await once(kicked, 'exit');
      if (code !== 0) throw new Error(`doveadm kick ended with ${code}`);
    },
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill();
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const socket = connect(port, '127.0.0.1');
    const answered = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (answered) return;
    await sleep(50);
  }
  throw new Error('dovecot does not respond');
}
