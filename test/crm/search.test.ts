// CRM search over leads, contacts, opportunities and prospects.
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedKey } from '../accounts-seed.ts';
import { add, asCrm, crmRoot, refused, type Send } from '../crm-seed.ts';

let app: TestApp;
let send: Send;
test.before(async () => {
  app = await openApp();
  send = await asCrm(app);
});
test.after.always(() => app.close());

test.serial('Search the CRM', async (t) => {
  const lead = await add(send, '/leads', {
    first_name: 'Anna',
    last_name: 'North',
    email: 'anna@x.example',
    company_name: 'Acme',
  });
  const contact = await add(send, '/people', { first_name: 'Bo', last_name: 'Northwood', phone: '+49 (30) 12-34' });
  const { opportunity_id } = await add(send, '/opportunities', { name: 'Upnorth rollout' });
  const prospect = await add(send, '/prospects', { name: 'North & Sons', industry: 'Retail', city: 'Kiel' });
  const answer = await send('GET', '/search?q=NORTH');
  t.is(answer.status, 200);
  const url = `${app.app.config.baseUrl}/admin/crm`;
  t.deepEqual(answer.body, {
    success: true,
    data: {
      results: [
        {
          type: 'lead',
          id: lead.lead_id,
          title: 'Anna North',
          subtitle: 'Acme',
          score: 1,
          url: `${url}/leads/${lead.lead_id}`,
        },
        {
          type: 'prospect',
          id: prospect.prospect_id,
          title: 'North & Sons',
          subtitle: 'Retail, Kiel',
          score: 1,
          url: `${url}/prospects/${prospect.prospect_id}`,
        },
        {
          type: 'contact',
          id: contact.contact_id,
          title: 'Bo Northwood',
          subtitle: '',
          score: 0.67,
          url: `${url}/people/${contact.contact_id}`,
        },
        {
          type: 'opportunity',
          id: opportunity_id,
          title: 'Upnorth rollout',
          subtitle: 'prospecting',
          score: 0.33,
          url: `${url}/opportunities/${opportunity_id}`,
        },
      ],
      total: 4,
    },
  });
  const found = async (query: string) => {
    const { data } = (await send('GET', `/search?${query}`)).body;
    return [data.total, ...data.results.map((each: { type: string; score: number }) => `${each.type} ${each.score}`)];
  };
  t.deepEqual(await found('q=north&limit=2'), [4, 'lead 1', 'prospect 1']);
  t.deepEqual(await found('q=north&types=contacts,Opportunity'), [2, 'contact 0.67', 'opportunity 0.33']);
  t.deepEqual(await found('q=an%20nor'), [1, 'lead 0.67'], 'every word');
  t.deepEqual(await found('q=anna%40x.example'), [1, 'lead 1']);
  t.deepEqual(await found('q=49301234'), [1, 'contact 1'], 'a phone number by its digits');
  t.deepEqual(await found('q=orthwo'), [1, 'contact 0.33']);
  t.deepEqual(await found('q=kiel'), [1, 'prospect 1']);
  t.deepEqual(await found('q=%25%25'), [0]);
  t.deepEqual(await found('q=nobody'), [0]);
  await send('PUT', `/people/${contact.contact_id}`, { last_name: 'South' });
  t.deepEqual(await found('q=northwood'), [0], 'by its former name no more');
  t.deepEqual(await found('q=south'), [1, 'contact 1']);
  await send('DELETE', `/prospects/${prospect.prospect_id}`);
  t.deepEqual(await found('q=sons'), [0]);
});

test.serial('Search the CRM: very many very long words are stored and found', async (t) => {
  await add(send, '/custom-fields', { entity_type: 'lead', label: 'Story', field_type: 'textarea' });
  const story = Array.from({ length: 400 }, (_, i) => `${i}`.padEnd(64, 'abcdefghijklmnopqrstuvwxyz')).join(' ');
  const { lead_id } = await add(send, '/leads', { phone: '1', custom_fields: { story } });
  const { data } = (await send('GET', '/search?q=17abcdef')).body;
  t.deepEqual([data.total, data.results[0].id], [1, lead_id]);
});

test.serial('Search the CRM: rejects invalid input and omits inaccessible records', async (t) => {
  for (const [query, error] of [
    ['', 'q is required'],
    ['q=%20', 'q is required'],
    ['q=a', 'q must be at least 2 characters'],
    ['q=ab&types=tickets', 'types must be among: lead, contact, opportunity, prospect'],
    ['q=ab&limit=0', 'limit must be at least 1'],
  ] as const) {
    const answer = await send('GET', `/search?${query}`);
    t.deepEqual([answer.status, answer.body.error], [400, error], query);
  }
  t.is((await send('GET', '/search?q=ab&limit=100000')).status, 200);
  const narrow = await asCrm(app, ['opportunities:read']);
  const { data } = (await narrow('GET', '/search?q=north')).body;
  t.deepEqual([data.total, data.results[0].type], [1, 'opportunity'], 'only what the key may read');
  t.deepEqual((await narrow('GET', '/search?q=north&types=lead')).body, refused);
  t.deepEqual((await (await asCrm(app, ['leads:write']))('GET', '/search?q=north')).body, refused);
  const { api_key: key } = await seedKey(app, 'crm_public_live');
  t.is((await app.request('GET', `${crmRoot}/search?q=north`, { key })).status, 403);
  t.is((await app.request('GET', `${crmRoot}/search?q=north`)).status, 401);
  t.true((await app.fewestStatements(() => send('GET', '/search?q=north'))) <= 6);
});
