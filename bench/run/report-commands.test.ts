import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  folderOfTest,
  outcomeOf,
  runWith,
  sampleRunInfo,
  sampleScenario,
  sampleSection,
} from '../fixtures/sample-run.ts'
import { type Trial } from '../support/trial.ts'
import { RunFolder, type RunInfo } from './run-folder.ts'
import { commands } from './report-commands.ts'

const trial: Trial = { subject: 'diptych', lane: 'sse', params: {}, round: 1 }

/** Shows what its one trial measured. */
const oneFigure = sampleScenario({
  name: 'broadcast',
  rounds: 1,
  plan: () => [trial],
  report: ({ data }) => ({
    ...sampleSection,
    tables: [
      {
        title: 'Latency',
        columns: [{ name: 'subject' }, { name: 'p50', unit: 'ms' }],
        rows: data.map((figure) => ['Diptych', figure as number]),
      },
    ],
  }),
})

let parent: string
let printed: string

beforeEach(async () => {
  parent = await folderOfTest()
  printed = ''
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void (printed += `${line}\n`))
  onTestFinished(() => log.mockRestore())
})

async function createRun(name: string, figure: number, info: Partial<RunInfo> = {}): Promise<string> {
  const folder = await RunFolder.create(parent, name, {
    ...sampleRunInfo,
    scenarios: [{ name: 'broadcast', values: {} }],
    ...info,
  })
  await folder.saveTrial('broadcast', outcomeOf(trial, figure))
  return folder.path
}

test('a report is made from the saved trials, on the terminal, as a page and as JSON', async () => {
  const path = await createRun('one', 12.3)
  await commands.report!([oneFigure], [path])
  expect(printed).toMatch(/Diptych +12\.3/)
  expect(await readFile(join(path, 'report.html'), 'utf8')).toContain('<td>12.3</td>')
  const json = JSON.parse(await readFile(join(path, 'report.json'), 'utf8')) as {
    source: string
    reports: unknown[]
  }
  expect(json.source).toBe('c0ffee')
  expect(json.reports).toHaveLength(1)
})

test('compare shows two runs beside each other, and what makes them hard to compare', async () => {
  const before = await createRun('one', 10)
  const after = await createRun('two', 5, { sittings: runWith({ cores: 8 }).sittings })
  await commands.compare!([oneFigure], [before, after])
  expect(printed).toContain('Not the same cores: 2 → 8.')
  expect(printed).not.toContain('Not the same machine')
  expect(printed).toMatch(/Diptych, p50, ms +10 → +5 +0\.50 ×/)
})

test('a run that was stopped before its first trial is an error', async () => {
  const path = await createRun('one', 1, { sittings: [] })
  await expect(commands.report!([oneFigure], [path])).rejects.toThrow(
    '"one" was stopped before its first trial.',
  )
})

test('an unknown run or too few runs are an error', async () => {
  await expect(commands.report!([oneFigure], ['yesterday'])).rejects.toThrow('There is no run "yesterday".')
  await expect(commands.compare!([oneFigure], ['yesterday'])).rejects.toThrow('compare needs two runs.')
})
