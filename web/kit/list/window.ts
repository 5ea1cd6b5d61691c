// Visible rows of a long list, computed from a uniform row height.
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Maximum element height in browsers, in pixels; longer lists scroll proportionally. */
const TALLEST = 16_000_000;
const SPARE = 6;

export interface Window {
  readonly first: number;
  /** Index after the last visible row. */
  readonly end: number;
  /** Total height in pixels. */
  readonly height: number;
  /** Offset of the first row. */
  readonly top: number;
  /** Width of the element. */
  readonly width: number;
  readonly show: (index: number) => void;
}

/** Returns the visible rows within a scrolling element, which exists only once the first rows are loaded. */
export function useWindow(element: HTMLElement | null, count: number, row: number): Window {
  const [place, setPlace] = useState({ top: 0, view: 900, width: innerWidth });
  const frame = useRef(0);
  // Before the first paint, so that no column disappears after it.
  useLayoutEffect(() => {
    if (!element) return;
    const read = () => setPlace({ top: element.scrollTop, view: element.clientHeight, width: element.clientWidth });
    const onScroll = () => {
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(read);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const watch = new ResizeObserver(read);
    watch.observe(element);
    read();
    return () => {
      cancelAnimationFrame(frame.current);
      element.removeEventListener('scroll', onScroll);
      watch.disconnect();
    };
  }, [element]);

  const whole = count * row;
  const height = Math.min(whole, TALLEST);
  const room = Math.max(1, height - place.view);
  const ratio = Math.max(1, (whole - place.view) / room);
  const first = Math.max(0, Math.floor((place.top * ratio) / row) - SPARE);
  const end = Math.min(count, Math.ceil((place.top * ratio + place.view) / row) + SPARE);
  const top = place.top - (place.top * ratio - first * row);
  const show = useCallback(
    (index: number) => {
      if (!element) return;
      const at = (index * row) / ratio;
      const heading = element.querySelector<HTMLElement>('[data-heading]')?.offsetHeight ?? 0;
      if (at < element.scrollTop) element.scrollTop = at;
      else if (at + row + heading > element.scrollTop + element.clientHeight)
        element.scrollTop = at + row + heading - element.clientHeight;
    },
    [element, row, ratio],
  );
  return { first, end, height, top, width: place.width, show };
}
