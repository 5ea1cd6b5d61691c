// What the website's page says in ChatWidgetConfig (W-19 to W-24). Whatever is wrong there, the page goes on.

export interface Options {
  readonly publicKey: string;
  readonly left: boolean;
  /** Undefined: the provider's own, as the server says it. */
  readonly primaryColor: string | undefined;
  readonly greeting: string | undefined;
  readonly showOnMobile: boolean;
  readonly autoOpen: boolean;
  readonly autoOpenDelay: number;
}

const LONGEST_GREETING = 1000;
const USUAL_DELAY = 5000;

/** The page's options with their defaults; undefined when there is no key, so that nothing is shown (W-20). */
export function readOptions(given: unknown): Options | undefined {
  const config = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  const { publicKey, position, primaryColor, greeting, autoOpenDelay } = config;
  if (typeof publicKey !== 'string' || publicKey.trim() === '') {
    console.warn('The chat is not shown: ChatWidgetConfig.publicKey is missing.');
    return undefined;
  }
  const delay = Number(autoOpenDelay ?? USUAL_DELAY);
  return {
    publicKey: publicKey.trim(),
    left: position === 'bottom-left',
    primaryColor: isColor(primaryColor) ? primaryColor : undefined,
    greeting: typeof greeting === 'string' && greeting.trim() ? greeting.slice(0, LONGEST_GREETING) : undefined,
    showOnMobile: config['showOnMobile'] !== false,
    autoOpen: config['autoOpen'] === true,
    autoOpenDelay: delay >= 0 && Number.isFinite(delay) ? delay : USUAL_DELAY,
  };
}

export function isColor(value: unknown): value is string {
  return typeof value === 'string' && CSS.supports('color', value) && !/var\(|currentcolor|inherit/i.test(value);
}
