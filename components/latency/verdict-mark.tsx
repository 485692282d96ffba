import { Check, Minus, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Percentiles } from '@/lib/latency/latency-state.ts'
import { limitsOf, verdictOn, type Verdict } from '@/lib/latency/verdict.ts'
import { latencyFiguresStrings } from '@/lib/strings/latency-figures.ts'
import { Hint } from '@/components/ui/hint.tsx'
import { msText } from './latency-text.ts'

type JudgedFigure = Parameters<typeof limitsOf>[0]

const verdictLooks: Readonly<Record<Verdict, readonly [LucideIcon, string]>> = {
  good: [Check, 'text-good'],
  fair: [Minus, 'text-wait'],
  poor: [TriangleAlert, 'text-danger'],
}

interface VerdictMarkProps {
  readonly figure: JudgedFigure
  readonly ms: number | undefined
  /** The shortest round trip. The time that the network needs in any case does not count against the figure. */
  readonly base: number | undefined
}

/** Shows a word and a sign, with the limits in its hint. */
export function VerdictMark({ figure, ms, base }: VerdictMarkProps) {
  if (ms === undefined) return null
  const limits = limitsOf(figure, base)
  const verdict = verdictOn(ms, limits)
  const [Icon, look] = verdictLooks[verdict]
  return (
    <Hint text={latencyFiguresStrings.limits(msText(limits.good), msText(limits.fair))}>
      <span className="inline-flex items-center gap-1 whitespace-nowrap">
        <Icon size={12} aria-hidden className={`shrink-0 ${look}`} />
        {latencyFiguresStrings.verdicts[verdict]}
      </span>
    </Hint>
  )
}

/** Judges the 95th percentile: most key presses count, and a single slow one is bad luck. */
export const judgedDelay = ({ count, p95 }: Percentiles): number | undefined =>
  count === 0 ? undefined : p95
