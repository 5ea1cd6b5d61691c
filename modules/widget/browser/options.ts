// Options from the page's ChatWidgetConfig (W-19 to W-24). Invalid values must never break the page.

export interface Options {
  readonly publicKey: string;
  readonly left: boolean;
  /** Undefined for the provider's colour, which the server sends. */
  readonly primaryColor: string | undefined;
  readonly greeting: string | undefined;
  readonly showOnMobile: boolean;
  readonly autoOpen: boolean;
  readonly autoOpenDelay: number;
}

const MAX_GREETING = 1000;
const DEFAULT_DELAY_MS = 5000;

/** Returns the options with defaults; undefined without a key, in which case the chat is not shown (W-20). */
export function readOptions(given: unknown): Options | undefined {
  const config = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  const { publicKey, position, primaryColor, greeting, autoOpenDelay } = config;
  if (typeof publicKey !== 'string' || publicKey.trim() === '') {
    console.warn('The chat is not shown: ChatWidgetConfig.publicKey is missing.');
    return undefined;
  }
  const delay = Number(autoOpenDelay ?? DEFAULT_DELAY_MS);
  return {
    publicKey: publicKey.trim(),
    left: position === 'bottom-left',
    primaryColor: isColor(primaryColor) ? primaryColor : undefined,
    greeting: typeof greeting === 'string' && greeting.trim() ? greeting.slice(0, MAX_GREETING) : undefined,
    showOnMobile: config['showOnMobile'] !== false,
    autoOpen: config['autoOpen'] === true,
    autoOpenDelay: delay >= 0 && Number.isFinite(delay) ? delay : DEFAULT_DELAY_MS,
  };
}

export function isColor(value: unknown): value is string {
  return typeof value === 'string' && CSS.supports('color', value) && !/var\(|currentcolor|inherit/i.test(value);
}
