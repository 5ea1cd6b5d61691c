// Certificates of test servers, made by OpenSSL and trusted by this process only.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** In PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Returns a self-signed certificate of a host name, valid for two days. */
export function certificateOf(host: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [cert, key] = [join(folder, 'cert'), join(folder, 'key')];
  const kind = ['-x509', '-nodes', '-days', '2', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  try {
    execFileSync('openssl', ['req', ...kind, ...names, '-out', cert, '-keyout', key], { stdio: 'ignore' });
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes this process trust a certificate until the test ends. */
export function trust(t: { teardown(work: () => void): void }, { cert }: Certificate): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  t.teardown(() => setDefaultCACertificates(before));
}
