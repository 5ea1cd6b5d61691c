// Writes a Strapi project with companies, contacts, tickets and replies into a folder:
// node bench/compare/strapi-project.ts <folder> <database port>
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const VERSION = '5.54.0';

const [folder = '', port = '3306'] = process.argv.slice(2);
const text = { type: 'string' };
const to = (name: string, inversedBy: string) => ({
  type: 'relation',
  relation: 'manyToOne',
  target: `api::${name}.${name}`,
  inversedBy,
});
const of = (name: string, mappedBy: string) => ({
  type: 'relation',
  relation: 'oneToMany',
  target: `api::${name}.${name}`,
  mappedBy,
});
const types = {
  company: { name: text, contacts: of('contact', 'company'), tickets: of('ticket', 'company') },
  contact: {
    name: text,
    email: { type: 'email' },
    company: to('company', 'contacts'),
    tickets: of('ticket', 'contact'),
  },
  ticket: {
    number: { type: 'integer' },
    subject: text,
    description: { type: 'text' },
    state: { type: 'enumeration', enum: ['open', 'in_progress', 'on_hold', 'closed'], default: 'open' },
    priority: { type: 'integer' },
    assignee: text,
    company: to('company', 'tickets'),
    contact: to('contact', 'tickets'),
    replies: of('reply', 'ticket'),
  },
  reply: { text: { type: 'text' }, ticket: to('ticket', 'replies') },
};

write('package.json', {
  name: 'tickets',
  private: true,
  version: '0.0.0',
  scripts: { build: 'strapi build', start: 'strapi start' },
  dependencies: {
    '@strapi/strapi': VERSION,
    '@strapi/plugin-users-permissions': VERSION,
    mysql2: '^3.9.8',
    react: '^18.0.0',
    'react-dom': '^18.0.0',
    'react-router-dom': '^6.0.0',
    'styled-components': '^6.0.0',
  },
});
module(
  'config/server.js',
  "({ env }) => ({ host: '127.0.0.1', port: env.int('PORT'), app: { keys: ['bench-a', 'bench-b'] } })",
);
module(
  'config/admin.js',
  `() => ({ auth: { secret: 'bench' }, apiToken: { salt: 'bench' }, transfer: { token: { salt: 'bench' } },
  secrets: { encryptionKey: 'bench-bench-bench-bench-bench-32' }, flags: { nps: false, promoteEE: false } })`,
);
module('config/plugins.js', "() => ({ 'users-permissions': { config: { jwtSecret: 'bench' } } })");
module(
  'config/database.js',
  `() => ({ connection: { client: 'mysql', connection: { host: '127.0.0.1', port: ${Number(port)}, database: 'strapi',
  user: 'root', password: '' } } })`,
);
module(
  'config/middlewares.js',
  JSON.stringify(
    ['logger', 'errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'session', 'favicon', 'public'].map(
      (each) => `strapi::${each}`,
    ),
  ),
);
module('src/index.js', '{ register() {}, bootstrap() {} }');
mkdirSync(join(folder, 'public', 'uploads'), { recursive: true });
for (const [name, attributes] of Object.entries(types)) {
  const plural = name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
  const info = { singularName: name, pluralName: plural, displayName: name };
  write(`src/api/${name}/content-types/${name}/schema.json`, {
    kind: 'collectionType',
    collectionName: plural,
    info,
    options: { draftAndPublish: false },
    attributes,
  });
  for (const kind of ['Router', 'Controller', 'Service'])
    write(
      `src/api/${name}/${kind.toLowerCase()}s/${name}.js`,
      `module.exports = require('@strapi/strapi').factories.createCore${kind}('api::${name}.${name}');\n`,
    );
}

function module(path: string, value: string): void {
  write(path, `module.exports = ${value};\n`);
}

function write(path: string, content: unknown): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
}
