// Mails signed with S/MIME so that the signature encloses the content, and encrypted mails.
import test from 'ava';
import { openMail, parseMail } from '../../modules/mailbox/parse/parse.ts';
import { enclosedIn } from '../../modules/mailbox/parse/smime.ts';

// Written by OpenSSL: a text “Grüße” with a file log.txt, and header lines of another sender.
const SIGNED = [
  'MIICGAYJKoZIhvcNAQcCoIICCTCCAgUCAQExDTALBglghkgBZQMEAgEwggFeBgkqhkiG9w0BBwGgggFPBIIBS0NvbnRlbnQtVHlw',
  'ZTogbXVsdGlwYXJ0L21peGVkOyBib3VuZGFyeT0iYiINCkZyb206IEJvc3MgPGJvc3NAZXZpbC5leGFtcGxlPg0KU3ViamVjdDog',
  'SW5uZXINCkF1dGhlbnRpY2F0aW9uLVJlc3VsdHM6IG14LnByb3ZpZGVyLmV4YW1wbGU7IGRtYXJjPXBhc3MNCg0KLS1iDQpDb250',
  'ZW50LVR5cGU6IHRleHQvcGxhaW47IGNoYXJzZXQ9dXRmLTgNCkNvbnRlbnQtVHJhbnNmZXItRW5jb2Rpbmc6IHF1b3RlZC1wcmlu',
  'dGFibGUNCg0KR3I9QzM9QkM9QzM9OUZlDQotLWINCkNvbnRlbnQtRGlzcG9zaXRpb246IGF0dGFjaG1lbnQ7IGZpbGVuYW1lPWxv',
  'Zy50eHQNCg0KNDINCi0tYi0tDQoxgY4wgYsCAQEwJDAMMQowCAYDVQQDDAFFAhQbSNU3S/nRyKVoKZmdoU8SsEcrkjALBglghkgB',
  'ZQMEAgEwCgYIKoZIzj0EAwIERzBFAiEA5N0t0V5B7FRHuPmL6D80OPu3rLJaiYYMlH5LOy84brgCIFI3pE5Yv7PzgVfaR2+imKfP',
  'sNEOop60OWokvekaly3m',
].join('');
/** The same with indefinite lengths, as programs write it that do not know the length beforehand. */
const STREAMED = [
  'MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBoIAkgASCAUtDb250ZW50LVR5cGU6IG11bHRp',
  'cGFydC9taXhlZDsgYm91bmRhcnk9ImIiDQpGcm9tOiBCb3NzIDxib3NzQGV2aWwuZXhhbXBsZT4NClN1YmplY3Q6IElubmVyDQpB',
  'dXRoZW50aWNhdGlvbi1SZXN1bHRzOiBteC5wcm92aWRlci5leGFtcGxlOyBkbWFyYz1wYXNzDQoNCi0tYg0KQ29udGVudC1UeXBl',
  'OiB0ZXh0L3BsYWluOyBjaGFyc2V0PXV0Zi04DQpDb250ZW50LVRyYW5zZmVyLUVuY29kaW5nOiBxdW90ZWQtcHJpbnRhYmxlDQoN',
  'CkdyPUMzPUJDPUMzPTlGZQ0KLS1iDQpDb250ZW50LURpc3Bvc2l0aW9uOiBhdHRhY2htZW50OyBmaWxlbmFtZT1sb2cudHh0DQoN',
  'CjQyDQotLWItLQ0KAAAAAAAAMYGOMIGLAgEBMCQwDDEKMAgGA1UEAwwBRQIUG0jVN0v50cilaCmZnaFPErBHK5IwCwYJYIZIAWUD',
  'BAIBMAoGCCqGSM49BAMCBEcwRQIgCEbyPS3G8+Q7VZjMzHTRS5UxwT3GhF8bJKcc+l3JZL0CIQCABCmCUcNc2pPYemjWHJ+WMQxj',
  'lonJpWd8/MjF6S9mMwAAAAAAAA==',
].join('');
const ENCRYPTED = [
  'MIICWQYJKoZIhvcNAQcDoIICSjCCAkYCAQAxgb4wgbsCAQAwJDAMMQowCAYDVQQDDAFFAhQg6KBdimkj7bfZuOZOtJMK+1MliDAN',
  'BgkqhkiG9w0BAQEFAASBgJ9y7RAqiT4/vI0chcnBiZbzFx8zfcAvOZRiMKOX84SgTN46XhTaGI1j2ePOZwQKpflBryUl/xm6NS5W',
  '7yG3YHPXde5H3Qqvaz7pGOTZBO7Yr/7Q7Vj4GyZ1yW2o9G6AJ5U+znAY0JVli7ddfLPTw2RWOYXYSPq7FxRMTRWo141/MIIBfgYJ',
  'KoZIhvcNAQcBMB0GCWCGSAFlAwQBAgQQf8Ot8BwUtB+CyNAq0dbWVoCCAVCacykU2XebW76r7WGRPrFKYhyOgHEls6ilrWyOeIRG',
  'EkQ4lasBRgMhHptUWZg8z6jPVF7b6iHkpApv0P8RviGa7Rf3VA75+QzLQ986IfjPkl59TZGvLrhW+l1uUQwsUWLtjbYmohZuOZ6o',
  'C3evCnIDVMTZxHlLNqrHLQyL6cqaagIZql6PhkuEJx8CqxxMdziA7n86GEoIqmlc9n4UnVn4MDzPPE6hnad266knFyOamaUwmDiB',
  '3ZXgdyRVWpdtF7WkOcQ9Z+4DzigDb1HIlu/wir3Yw53s9jMNSkNzp65eI+DxKx5Wt990YVuwRowhpclIrpbB+CzEgOvnAwnMki+G',
  'puYD5s9g+WU8oGa7Qu3XBzUEiUsDefiC9oAIyWREiRzArcjqh1kns5ZP7AcaH9EfKAWMWtaR/dNthdbTLvwgTqbBlwcChcgj4NAA',
  'Muyq058=',
].join('');

const HOST = 'mx.provider.example';
const receiving = { address: 's@p.example', aliases: null, authserv_id: HOST, sign_in: 'password' } as const;
const SENTENCE = 'This mail is encrypted and cannot be read.';

const mailOf = (headers: readonly string[], body: string) =>
  Buffer.from(['From: Erin <a@b.example>', 'Subject: Printer', ...headers, '', body, ''].join('\r\n'));
const enclosing = (content: string, type = 'application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"') =>
  mailOf([`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64'], content.replaceAll(/(.{76})/g, '$1\r\n'));

for (const [title, content] of [
  ['with lengths', SIGNED],
  ['with indefinite lengths', STREAMED],
] as const)
  test(`a signature that encloses the mail, ${title}`, async (t) => {
    const mail = await parseMail(enclosing(content), receiving);
    t.like(mail, { text: 'Grüße', subject: 'Printer', several: false, verified: false });
    t.is(mail.from.address, 'a@b.example', 'not the sender within');
    t.deepEqual(
      mail.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString().trim()]),
      [['log.txt', '42']],
    );
    t.is((await openMail(enclosing(content))).text?.trim(), 'Grüße', 'the original shows it, too');
    t.is((await parseMail(enclosing(content, 'application/x-pkcs7-mime'), receiving)).text, 'Grüße');
  });

test('a damaged signature stays a file', async (t) => {
  const bytes = Buffer.from(SIGNED, 'base64');
  for (const damaged of [
    bytes.subarray(0, 200),
    Buffer.alloc(0),
    Buffer.alloc(5000, 0x30),
    Buffer.from('0'.repeat(99)),
  ]) {
    t.is(enclosedIn(damaged), undefined);
    const mail = await parseMail(enclosing(damaged.toString('base64')), receiving);
    t.is(mail.text, '');
  }
  t.is(enclosedIn(Buffer.concat(Array.from({ length: 4000 }, () => Buffer.from([0x30, 0x80])))), undefined);
});

test('encrypted mails say so', async (t) => {
  const type = 'application/pkcs7-mime; name="smime.p7m"';
  t.is((await parseMail(enclosing(ENCRYPTED, type), receiving)).text, SENTENCE, 'S/MIME');
  const part = `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${ENCRYPTED}\r\n--b--`;
  const within = await parseMail(mailOf(['Content-Type: multipart/mixed; boundary=b'], part), receiving);
  t.is(within.text, SENTENCE, 'S/MIME as a file');
  const armoured = '-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n-----END PGP MESSAGE-----';
  const parts = `--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--b\r\nContent-Type: application/octet-stream; name=encrypted.asc\r\n\r\n${armoured}\r\n--b--`;
  const pgp = 'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b';
  for (const kind of [pgp, 'multipart/mixed; boundary=b'])
    t.is((await parseMail(mailOf([`Content-Type: ${kind}`], parts), receiving)).text, SENTENCE, kind);
  const inline = await parseMail(mailOf([], `Hello\r\n\r\n${armoured}\r\n\r\nErin`), receiving);
  t.is(inline.text, `Hello\n\n${SENTENCE}\n\nErin`);
});
