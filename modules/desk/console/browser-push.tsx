// The browser's side of notifications: its permission, the service worker, and its address at the push service.

const WORKER = '/desk/notify.js';

interface Policies {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(url: string): string };
}

let workerUrl: string | undefined;

/** Returns the worker's address in the form that the page's security policy requires where browsers know it. */
function trustedWorker(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  return (workerUrl ??=
    trustedTypes?.createPolicy('worker', { createScriptURL: () => WORKER }).createScriptURL('') ?? WORKER);
}

export const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Asks for permission and returns this browser's address and keys; undefined if the person or browser refuses. */
export async function subscribeBrowser(public_key: string) {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  const worker = await navigator.serviceWorker.register(trustedWorker());
  const options = { userVisibleOnly: true, applicationServerKey: public_key };
  // A subscription made with another key cannot be used.
  const subscription = await worker.pushManager.subscribe(options).catch(async () => {
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    return worker.pushManager.subscribe(options);
  });
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.['p256dh'] || !keys['auth']) return undefined;
  return { endpoint, p256dh: keys['p256dh'], auth: keys['auth'] };
}

const browsers = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const;
const systems = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const;

/** Names a browser as its owner would: `Firefox, Linux`. */
export function deviceName(userAgent: string): string {
  const named = (names: readonly (readonly [string, RegExp])[]) => names.find(([, form]) => form.test(userAgent))?.[0];
  const [browser = 'Browser', system] = [named(browsers), named(systems)];
  return system ? `${browser}, ${system}` : browser;
}
