import type { Percentiles } from '@/lib/latency/latency-state.ts'

const percent = (value: number, scale: number): string => `${Math.min(100, (value / scale) * 100)}%`

/** Draws the figures beside it as lengths on one scale: a dot, a bar, a line. */
export function PercentileRange({
  figures: { count, p50, p95, p99 },
  scale,
}: {
  figures: Percentiles
  scale: number
}) {
  if (count === 0) return null
  return (
    <svg width="100%" height={12} className="block overflow-visible text-accent">
      <line x1={0} x2={percent(p99, scale)} y1={6} y2={6} stroke="currentColor" />
      <rect width={percent(p95, scale)} y={3} height={6} rx={2} fill="currentColor" opacity={0.35} />
      <circle cx={percent(p50, scale)} cy={6} r={4} fill="currentColor" />
    </svg>
  )
}
