/** Product logo: a hull with its keel. */
export const Mark = () => (
  <span className="brand-mark" aria-hidden="true">
    <svg viewBox="0 0 24 24" width="16" height="16" className="icon">
      <path d="M4 10h16a8 8 0 0 1-16 0zM12 4v17M9 21h6" />
    </svg>
  </span>
);
