/** Small icons. They always have a text next to them, so screen readers skip them. */
const paths = {
  success: 'M3 8.5l3.2 3.2L13 5',
  failed: 'M4 4l8 8M12 4l-8 8',
  decide: 'M8 7.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2zM3 13.6c.6-2.6 2.5-4 5-4s4.4 1.4 5 4',
  timed_out: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3l2 1.5',
  waiting: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 8V2.5M8 8h5.5',
  blocked: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM4.2 11.8l7.6-7.6',
  warning: 'M8 2.8l5.8 10.4H2.2zM8 6.8v2.8M8 11.4v.1',
  retrying: 'M12.8 6.5A5.2 5.2 0 1 0 13.2 9M13 3v3.5H9.5',
  running: 'M5.2 3.4v9.2L12.4 8z',
  queued: 'M3 5h10M3 8h10M3 11h6',
  delayed: 'M4.5 2.5h7M4.5 13.5h7M5.5 2.5v2.5L8 8l2.5-3V2.5M5.5 13.5V11L8 8l2.5 3v2.5',
  skipped: 'M3 8h9M9 5l3 3-3 3',
  none: 'M4 8h8',
  person: 'M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM3 13.5c0-2.4 2.2-3.8 5-3.8s5 1.4 5 3.8',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M3.2 8h.01M8 8h.01M12.8 8h.01',
  down: 'M4.5 6.5L8 10l3.5-3.5',
  arrow: 'M2.8 8h10M9.3 4.5L12.8 8l-3.5 3.5',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name, size = 14 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill={name === 'running' ? 'currentColor' : 'none'}
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);

export const Logo = ({ size = 20 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 20 20" fill="var(--accent)" aria-hidden="true">
    <rect x="8.5" y="6" width="3" height="13" rx="1" />
    <path d="M3 2.5h11l3 3-3 3H3z" />
  </svg>
);
