export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className="shrink-0 text-accent">
      <path fill="currentColor" d="M15 5.2v21.6L5.6 29a1.3 1.3 0 0 1-1.6-1.3V4.3A1.3 1.3 0 0 1 5.6 3z" />
      <path
        fill="currentColor"
        fillOpacity={0.5}
        d="M17 5.2v21.6l9.4 2.2a1.3 1.3 0 0 0 1.6-1.3V4.3A1.3 1.3 0 0 0 26.4 3z"
      />
    </svg>
  )
}
