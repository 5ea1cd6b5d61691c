import { icons, type IconName } from './icons.ts';

/** A picture beside words, never instead of them: it is hidden from screen readers. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={icons[name]} />
    </svg>
  );
}

/** Names that come from outside, such as a plugin's declaration. */
export const isIcon = (name: string): name is IconName => Object.hasOwn(icons, name);
