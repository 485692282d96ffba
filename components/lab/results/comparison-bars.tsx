export interface ComparisonBar {
  readonly id: string | number
  readonly name: string
  /** In the same unit as the other bars. */
  readonly value: number
  readonly mark: number
  readonly text: string
}

interface ComparisonBarsProps {
  readonly bars: readonly ComparisonBar[]
  /** Says what the bar and the mark mean. */
  readonly caption: string
  /** Gives names more room than the 9rem for short ones. */
  readonly isWide?: boolean
}

/** Bars beside a table that says the same. */
export function ComparisonBars({ bars, caption, isWide = false }: ComparisonBarsProps) {
  const maxValue = Math.max(Number.MIN_VALUE, ...bars.flatMap(({ value, mark }) => [value, mark]))
  const percentOfMax = (value: number) => `${((value / maxValue) * 100).toFixed(1)}%`
  return (
    <figure aria-hidden className="flex flex-col gap-1.5">
      <figcaption className="text-sm text-muted">{caption}</figcaption>
      {bars.map(({ id, name, value, mark, text }) => (
        <div
          key={id}
          className={`grid items-center gap-2 text-sm max-sm:grid-cols-1 max-sm:gap-0.5 ${isWide ? 'grid-cols-[18rem_1fr]' : 'grid-cols-[9rem_1fr]'}`}
        >
          <span className="truncate">{name}</span>
          <div className="flex items-center gap-2">
            <span className="relative h-4 flex-1 overflow-hidden rounded bg-sunk">
              <span
                className="absolute inset-y-0 left-0 rounded bg-accent"
                style={{ width: percentOfMax(value) }}
              />
              <span
                className="absolute inset-y-0 w-0.5 bg-ink ring-1 ring-paper"
                style={{ left: `calc(${percentOfMax(mark)} - 2px)` }}
              />
            </span>
            <span className="w-24 text-right text-muted tabular-nums">{text}</span>
          </div>
        </div>
      ))}
    </figure>
  )
}
