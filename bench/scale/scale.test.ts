import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  batchRate,
  BUSY_SHARE,
  COMMIT_SECONDS,
  popularities,
  type Traffic,
  trafficOf,
  trafficOfDocument,
} from './capacity.ts'
import { costs } from './costs.ts'
import { simulate } from './simulation.ts'
import { costRows, hotDocumentRows, planRows, popularityRows } from './tables.ts'

const writing = { shareWriting: 0.3, edits: 6, carets: 1 }
const SEEDS = 24

interface Case {
  readonly windows: number
  readonly documents: number
  readonly nodes: number
  readonly popularity: number
}

/** The mean over some seeds. */
function simulateMean({ windows, documents, nodes, popularity }: Case) {
  const weights = popularities(windows, documents, popularity)
  const results = Array.from({ length: SEEDS }, (_, seed) =>
    simulate({ seed, seconds: 3, nodes, weights, windows, habits: writing }),
  )
  const mean = (value: (result: (typeof results)[number]) => number): number =>
    results.reduce((sum, result) => sum + value(result), 0) / SEEDS
  return {
    traffic: (name: keyof Traffic) => mean((result) => result.traffic[name]),
    commits: mean((result) => result.commits),
    busiestNode: mean(({ editsByNode }) => Math.max(...editsByNode)),
    meanNode: mean(({ traffic }) => (traffic.edits * 3) / nodes),
  }
}

const expectWithin = (share: number, counted: number, calculated: number, what: string): void =>
  expect(
    Math.abs(counted - calculated),
    `${what}: counted ${counted}, calculated ${calculated}`,
  ).toBeLessThanOrEqual(share * calculated)

describe('what is counted one by one agrees with what is calculated', () => {
  test.each<Case>([
    { windows: 400, documents: 100, nodes: 4, popularity: 0.5 },
    { windows: 400, documents: 100, nodes: 1, popularity: 0.5 },
    { windows: 600, documents: 30, nodes: 8, popularity: 1 },
    { windows: 300, documents: 1, nodes: 4, popularity: 0 },
  ])('$windows windows on $documents documents and $nodes nodes, Zipf $popularity', (options) => {
    const { windows, documents, nodes, popularity } = options
    const counted = simulateMean(options)
    const calculated = trafficOf(popularities(windows, documents, popularity), nodes, writing)
    for (const [name, figure] of Object.entries(calculated))
      expectWithin(0.05, counted.traffic(name as keyof Traffic), figure, name)
    const commits = nodes * batchRate(calculated.edits / nodes, COMMIT_SECONDS)
    expectWithin(0.05, counted.commits, commits, 'commits')
    expect(counted.busiestNode, 'the reserve covers the busiest node').toBeLessThan(
      counted.meanNode / BUSY_SHARE,
    )
  })

  test('a hot document on all nodes sends each batch to every other one, and each edit to every window', () => {
    const [windows, nodes] = [300, 4]
    const counted = simulateMean({ windows, documents: 1, nodes, popularity: 0 })
    const calculated = trafficOfDocument(windows, nodes, writing)
    expect(counted.traffic('received')).toBeCloseTo(counted.traffic('published') * (nodes - 1), 5)
    expect(counted.traffic('deliveries')).toBeCloseTo(2 * counted.traffic('edits') * (windows - 1), 5)
    expectWithin(0.001, calculated.received, calculated.published * (nodes - 1), 'received')
  })
})

const projectFile = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const page = projectFile('docs/SCALE.md')

/** The rows of a table below a heading, without its head. */
function tableBelow(heading: string): string[][] {
  const lines = page.slice(page.indexOf(`## ${heading}\n`)).split('\n')
  const start = lines.findIndex((line) => line.startsWith('|'))
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'))
  return lines.slice(start + 2, start + length).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

describe('docs/SCALE.md', () => {
  test.each([
    { heading: 'Costs', rows: costRows },
    { heading: 'Three sizes', rows: planRows() },
    { heading: 'How uneven documents are', rows: popularityRows() },
    { heading: 'One hot document', rows: hotDocumentRows() },
  ])('the table of "$heading" is what is calculated', ({ heading, rows }) =>
    expect(tableBelow(heading)).toEqual(rows),
  )

  test.each(Object.entries(costs))(
    '%s is quoted from where it is measured, or has its reason',
    (_name, { basis }) => {
      if ('file' in basis) expect(projectFile(basis.file)).toContain(basis.quote)
      else expect(basis.assumed).not.toBe('')
    },
  )
})
