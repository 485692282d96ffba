import type { LatencyState } from '@/lib/latency/latency-state.ts'

const WIDTH = 100
const HEIGHT = 20

/** The last minute, in ms: long enough to see a change, short enough to see a spike. */
const SPAN_MS = 60_000

/** Draws round trips from zero up, as wide as there is room for; the figures are beside it. */
export function Sparkline({ history }: { history: LatencyState['roundTrip']['history'] }) {
  const end = history.at(-1)?.at ?? 0
  const recent = history.filter(({ at }) => at > end - SPAN_MS)
  const most = Math.max(...recent.map(({ ms }) => ms), 1)
  const x = (at: number) => WIDTH - ((end - at) / SPAN_MS) * WIDTH
  const y = (ms: number) => HEIGHT - 2 - (ms / most) * (HEIGHT - 4)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      className="h-5 min-w-0 flex-1 text-accent"
    >
      <polyline
        points={recent.map(({ at, ms }) => `${x(at).toFixed(1)},${y(ms).toFixed(1)}`).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
