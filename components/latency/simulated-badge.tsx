import { FlaskConical } from 'lucide-react'
import { latencyFiguresStrings } from '@/lib/strings/latency-figures.ts'

/** Shown wherever figures are not those of the real network. */
export const SimulatedBadge = () => (
  <span className="inline-flex shrink-0 items-center gap-1 rounded-full border border-edge px-1.5 text-xs leading-5 text-ink">
    <FlaskConical size={11} aria-hidden /> {latencyFiguresStrings.simulated}
  </span>
)
