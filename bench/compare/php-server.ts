// Serves a PHP product with its own nginx and PHP-FPM, so that their memory is the product's alone. Debian's defaults: up
// to five workers, opcache on.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { childrenOf } from '../node-process.ts';

/** What nginx responds while PHP-FPM does not listen. */
const BAD_GATEWAY = 502;

export interface PhpServer {
  /** Returns the processes of nginx and PHP-FPM. */
  pids(): readonly number[];
  stop(): Promise<void>;
}

export interface PhpSite {
  readonly name: string;
  readonly port: number;
  /** The folder that nginx serves. */
  readonly root: string;
  /** Folder for configuration, sockets and logs. */
  readonly work: string;
  readonly databasePort: number;
  /** Further nginx directives of the server. */
  readonly nginx?: string;
}

/** Starts nginx and PHP-FPM on a folder; resolves once they listen. */
export async function startPhp(site: PhpSite): Promise<PhpServer> {
  const work = resolve(site.work, site.name);
  mkdirSync(work, { recursive: true });
  const socket = join(work, 'php.sock');
  writeFileSync(join(work, 'fpm.conf'), fpm(site, work, socket));
  writeFileSync(join(work, 'nginx.conf'), nginx(site, work, socket));
  const php = run('php-fpm8.2', ['--nodaemonize', '--fpm-config', join(work, 'fpm.conf')]);
  const web = run('nginx', ['-p', work, '-c', join(work, 'nginx.conf'), '-g', 'daemon off;']);
  await listens(site.port, [php, web]);
  const pids = () => [php, web].flatMap(({ pid = 0 }) => [pid, ...childrenOf(pid)]);
  return { pids, stop: async () => void (await Promise.all([end(php), end(web)])) };
}

function run(command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill());
  return child;
}

const fpm = ({ databasePort }: PhpSite, work: string, socket: string) => `[global]
error_log = ${join(work, 'fpm.log')}
[www]
user = www-data
group = www-data
listen = ${socket}
listen.owner = www-data
pm = dynamic
pm.max_children = 5
pm.start_servers = 2
pm.min_spare_servers = 1
pm.max_spare_servers = 3
php_admin_value[mysqli.default_port] = ${databasePort}
php_admin_value[session.save_path] = /tmp
`;

const nginx = ({ port, root, nginx: more = '' }: PhpSite, work: string, socket: string) => `user www-data;
pid ${join(work, 'nginx.pid')};
error_log ${join(work, 'nginx.log')};
worker_processes auto;
events { worker_connections 768; }
http {
  include /etc/nginx/mime.types;
  sendfile on;
  access_log off;
  client_body_temp_path ${join(work, 'body')};
  fastcgi_temp_path ${join(work, 'fastcgi')};
  server {
    listen 127.0.0.1:${port};
    root ${resolve(root)};
    index index.php;
    ${more}
    location ~ ^(.+?\\.php)(/.*)?$ {
      include /etc/nginx/fastcgi_params;
      fastcgi_split_path_info ^(.+?\\.php)(/.*)?$;
      fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
      fastcgi_param PATH_INFO $fastcgi_path_info;
      fastcgi_pass unix:${socket};
    }
  }
}
`;

async function listens(port: number, processes: readonly ChildProcess[]): Promise<void> {
  for (let i = 0; i < 100 && processes.every(({ exitCode }) => exitCode === null); i++) {
    try {
      const { status } = await fetch(`http://127.0.0.1:${port}/index.php`, { redirect: 'manual' });
      if (status !== BAD_GATEWAY) return;
    } catch (error) {
      // It is not listening yet.
      if (!(error instanceof TypeError)) throw error;
    }
    await wait(100);
  }
  throw new Error(`No PHP server listens on port ${port}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
