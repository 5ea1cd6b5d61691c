import Plot from 'uplot';
import { number } from '../format.ts';
import type { ChartProps } from './chart.tsx';

/** Steps between the lines of the axis when all values are whole: 1, 2, 5, 10 … */
const WHOLE_STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((each) => each * 10 ** power)).flat();

/** The width of the axis of values, and the usual width of a letter of a label. */
const [AXIS, LETTER] = [44, 7.5];

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;

/** Draws a chart that resizes with its element. Returns a function that removes it. */
export function draw(element: HTMLElement, { title, points, kind }: ChartProps): () => void {
  // Canvas does not support var() or light-dark(), so an element's computed colour resolves them.
  const probe = element.appendChild(document.createElement('span'));
  const colour = (name: string) => () => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const axis = {
    stroke: colour('--chart-text'),
    grid: { stroke: colour('--chart-line'), width: 1 },
    ticks: { show: false },
    font: '12px Plex, sans-serif',
  };
  const bars = Plot.paths.bars?.({ size: [0.6, 40] });
  const plot = new Plot(
    {
      width: element.clientWidth,
      height: 180,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.5, points.length - 0.5] },
        // Bars must start at 0, or their heights are not comparable.
        y: { range: (_plot, low, high) => [Math.min(0, low * 1.1), Math.max(low < 0 ? 0 : 1, high * 1.1)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: ({ width }, at) => {
            const labels = at.map((each) => (Number.isInteger(each) && points[each]?.label) || '');
            const room = Math.max(4, Math.floor((width - AXIS) / labels.filter(Boolean).length / LETTER));
            return labels.map((each) => shortened(each, room));
          },
        },
        {
          ...axis,
          size: AXIS,
          ...(points.every(({ value }) => Number.isInteger(value)) && { incrs: WHOLE_STEPS }),
          values: (_plot, at) => at.map(number),
        },
      ],
      series: [
        {},
        {
          label: title,
          stroke: colour('--chart-bar'),
          ...(kind === 'line'
            ? { width: 2, points: { show: points.length < 32 } }
            : { fill: colour('--chart-bar'), ...(bars && { paths: bars }), points: { show: false } }),
        },
      ],
    },
    [points.map((_, index) => index), points.map((each) => each.value)],
    element,
  );
  const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 180 }));
  watch.observe(element);
  const redraw = () => plot.redraw(false);
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributes: true });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', redraw);
  return () => {
    theme.disconnect();
    dark.removeEventListener('change', redraw);
    probe.remove();
    watch.disconnect();
    plot.destroy();
  };
}
