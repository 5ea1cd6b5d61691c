import Plot from 'uplot';
import type { ChartProps } from './chart.tsx';

/** Draws bars on a canvas that follows its element's width; returns what takes them away. */
export function draw(element: HTMLElement, title: string, points: ChartProps['points']): () => void {
  const css = getComputedStyle(element);
  const colour = (name: string) => css.getPropertyValue(name).trim();
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
      scales: { x: { time: false, range: [-0.5, points.length - 0.5] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: (_plot, at) => at.map((each) => (Number.isInteger(each) ? (points[each]?.label ?? '') : '')),
        },
        { ...axis, size: 44 },
      ],
      series: [
        {},
        {
          label: title,
          stroke: colour('--chart-bar'),
          fill: colour('--chart-bar'),
          ...(bars && { paths: bars }),
          points: { show: false },
        },
      ],
    },
    [points.map((_, index) => index), points.map((each) => each.value)],
    element,
  );
  const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 180 }));
  watch.observe(element);
  return () => {
    watch.disconnect();
    plot.destroy();
  };
}
