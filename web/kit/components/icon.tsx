import { icons, type IconName } from './icons.ts';

/** Decorative icon, hidden from screen readers; always use it with text. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={icons[name]} />
    </svg>
  );
}

/** Validates icon names from outside, such as a plugin's declaration. */
export const isIcon = (name: string): name is IconName => Object.hasOwn(icons, name);
