/** The mill wheel over its water. */
export function BrandMark({ size = 32 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="2.2" strokeLinecap="round">
        <circle cx="16" cy="13.5" r="6.5" />
        <path d="M16 7v13M9.500 13.500h13M11.400 8.900l9.200 9.200M20.600 8.900l-9.200 9.200" />
        <path d="M5 25.500c2.750-2 4.750-2 7.333 0s4.583 2 7.334 0 4.583-2 7.333 0" />
      </g>
    </svg>
  )
}
