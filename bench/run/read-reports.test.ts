import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import {
  folderOfTest,
  outcomeOf,
  sampleRunInfo,
  sampleScenario,
  sampleSection,
} from '../fixtures/sample-run.ts'
import { number } from '../support/options.ts'
import { type Trial } from '../support/trial.ts'
import { listRuns, RunFolder } from './run-folder.ts'
import { readReports } from './read-reports.ts'

const trials = (rounds: number): Trial[] =>
  Array.from({ length: rounds }, (_, index) => ({ subject: 'A', lane: 'sse', params: {}, round: index + 1 }))

const fourRounds = sampleScenario({
  options: { rounds: number('rounds', 4, 0, 9) },
  plan: () => [{ subject: 'A', lane: 'sse', params: {} }],
})

let parent: string

beforeEach(async () => {
  parent = await folderOfTest()
})

let folders = 0

const folderFor = (name: string, rounds: number): Promise<RunFolder> =>
  RunFolder.create(parent, `run ${++folders}`, {
    ...sampleRunInfo,
    scenarios: [{ name, values: { rounds } }],
  })

/** The notes of a run with a trial for each load. */
async function notesOf(rounds: number, ...loads: readonly (number | 'failed')[]): Promise<readonly string[]> {
  const folder = await folderFor('sample', rounds)
  for (const [index, load] of loads.entries()) {
    const trial = trials(rounds)[index]!
    await folder.saveTrial(
      'sample',
      load === 'failed'
        ? { trial, failed: 'Error: no port\n  at …' }
        : outcomeOf(trial, {}, { load, saturated: load > 0.8 }),
    )
  }
  const [report] = await readReports(folder, [fourRounds])
  return report!.section.notes.slice(
    loads.every((load) => load === 'failed') ? 0 : sampleSection.notes.length,
  )
}

test('notes say how busy the machine was at most, and which trials waited for a core', async () => {
  expect(await notesOf(2, 0.25, 0.4)).toEqual(['2 trials; the machine was at most 40 % busy.'])
  expect(await notesOf(2, 0.25, 0.9)).toEqual([
    '2 trials; the machine was at most 90 % busy.',
    expect.stringMatching(
      /^SATURATED: 1 of 2 trials ran on a machine more than 80 % busy \(A, sse \(1 of 2\)\): /,
    ),
  ])
  expect((await notesOf(2, 0.9, 0.9))[1]).toMatch(/^SATURATED: 2 of 2 trials .* 80 % busy: their times/)
})

test('a failed trial does not count as not run', async () => {
  expect(await notesOf(2, 0.25, 'failed')).toEqual([
    '1 trial; the machine was at most 25 % busy.',
    'FAILED: A, sse, round 2: Error: no port',
  ])
  expect(await notesOf(4, 0.25, 'failed')).toContain('2 of 4 trials have not been run.')
  expect(await notesOf(1, 'failed')).toEqual(['FAILED: A, sse, round 1: Error: no port'])
  expect(await notesOf(4)).toEqual(['4 of 4 trials have not been run.'])
})

test('an outcome that would no longer be planned comes last, and replaces none that is missing', async () => {
  let lanes: string[] = []
  const scenario = sampleScenario({
    plan: () => [{ subject: 'A', lane: 'sse', params: {} }],
    report(all) {
      lanes = all.outcomes.map(({ trial }) => trial.lane)
      return sampleSection
    },
  })
  const folder = await folderFor('sample', 3)
  const [first] = trials(3)
  await folder.saveTrial('sample', outcomeOf({ ...first!, lane: 'a recording that is not here' }, {}))
  await folder.saveTrial('sample', outcomeOf(first!, {}))
  const [report] = await readReports(folder, [scenario])
  expect(lanes).toEqual(['sse', 'a recording that is not here'])
  expect(report).toMatchObject({ measured: 2, missing: 2 })
  expect(report!.section.notes).toContain('2 of 4 trials have not been run.')
})

test('a scenario that planned nothing says so', async () => {
  expect(await notesOf(0)).toEqual(['Nothing was measured, because something that it needs is missing here.'])
})

test('a scenario that the program no longer has is left out', async () => {
  expect(await readReports(await folderFor('of last year', 1), [fourRounds])).toEqual([])
})

test('an outcome that cannot be read is an error, unlike one that is missing', async () => {
  const folder = await folderFor('sample', 1)
  const [trial] = trials(1)
  expect(await folder.readOutcome('sample', trial!)).toBe(undefined)
  await folder.saveTrial('sample', { trial: trial!, failed: 'Error: no port' })
  expect(await folder.readOutcome('sample', trial!)).toBe(undefined)
  await writeFile(join(folder.path, 'sample', 'a~sse~round=1.json'), '{"trial":')
  await expect(folder.readOutcome('sample', trial!)).rejects.toThrow(SyntaxError)
})

test('runs are listed newest first, and other files are ignored', async () => {
  for (const name of ['2026-11-20', '2026-11-22', '2026-11-21'])
    await RunFolder.create(parent, name, sampleRunInfo)
  await writeFile(join(parent, '2026-11-23'), 'a file')
  const empty = await RunFolder.create(parent, '2026-11-24', sampleRunInfo)
  await rm(join(empty.path, 'run.json'))
  expect((await listRuns(parent)).map(({ name }) => name)).toEqual(['2026-11-22', '2026-11-21', '2026-11-20'])
  expect(await listRuns(join(parent, 'nowhere'))).toEqual([])
})

test('trials on a busy machine are named, mark the headlines made from them, and explain missed aims', async () => {
  const aim = { name: 'p99', measured: 18, limit: 16, unit: 'ms' }
  const sizes = sampleScenario({
    rounds: 2,
    plan: () =>
      [100, 200].map((clients) => ({ subject: 'A', lane: 'sse', params: { part: 'many', clients } })),
    report: () => ({
      ...sampleSection,
      aims: [aim, { ...aim, reason: 'Its own.' }, { ...aim, measured: 5 }],
      headlines: [
        { what: 'of 100', ours: '1', of: { clients: 100 } },
        { what: 'of 200', ours: '1', of: { clients: 200, lane: 'sse' } },
        { what: 'of all', ours: '1' },
      ],
    }),
  })
  const folder = await folderFor('sample', 1)
  for (const trial of sizes.bind([], false).trials) {
    const load = trial.params['clients'] === 200 && trial.round === 2 ? 0.95 : 0.2
    await folder.saveTrial('sample', outcomeOf(trial, {}, { load, saturated: load > 0.8 }))
  }
  const [report] = await readReports(folder, [sizes])
  expect(report!.saturated).toEqual(['A, sse, part many, clients 200 (1 of 2)'])
  expect(report!.section.notes.join()).toContain('(A, sse, part many, clients 200 (1 of 2))')
  expect(report!.section.headlines.map(({ saturated }) => saturated)).toEqual([
    undefined,
    { count: 1, trials: 2 },
    { count: 1, trials: 4 },
  ])
  expect(report!.section.aims.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('In 1 of these 4 trials'),
    'Its own.',
    undefined,
  ])
})
