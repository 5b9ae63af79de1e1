export const Mark = ({ size = 20 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 20 20" fill="var(--accent)" aria-hidden="true">
    <rect x="8.5" y="6" width="3" height="13" rx="1" />
    <path d="M3 2.5h11l3 3-3 3H3z" />
  </svg>
);
