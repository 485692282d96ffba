/** What came of seeds, to be added up. */
export interface SeedReport {
  readonly seeds: number
  readonly acts: number
  readonly letters: number
  /** Letters that went with a block which somebody else moved or deleted at the same moment. */
  readonly movedAway: number
  readonly withBlock: number
  readonly failures: readonly SeedFailure[]
}

export interface SeedFailure {
  readonly seed: number
  readonly kinds: readonly string[]
}

export const noSeeds: SeedReport = { seeds: 0, acts: 0, letters: 0, movedAway: 0, withBlock: 0, failures: [] }

export const addReports = (a: SeedReport, b: SeedReport): SeedReport => ({
  seeds: a.seeds + b.seeds,
  acts: a.acts + b.acts,
  letters: a.letters + b.letters,
  movedAway: a.movedAway + b.movedAway,
  withBlock: a.withBlock + b.withBlock,
  failures: [...a.failures, ...b.failures],
})

/** How many seeds have a violation of each kind, the most frequent first. */
export function countKinds(failures: readonly SeedFailure[]): [kind: string, seeds: number][] {
  const byKind = Map.groupBy(
    failures.flatMap(({ kinds }) => kinds),
    (kind) => kind,
  )
  return [...byKind]
    .map(([kind, all]): [string, number] => [kind, all.length])
    .toSorted((a, b) => b[1] - a[1])
}
